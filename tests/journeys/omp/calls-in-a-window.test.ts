import { afterEach, describe, expect, test } from "bun:test";
import { decidedEvents, limit, type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal } from "../../clients/omp-window.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const run = (command: string) => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });
const overlay = "tama: the gates of this bash call decide";

describe.skipIf(unavailable !== null || !hasTerminal)("OMP in a terminal", () => {
  test(
    "a line names the tool while its gates decide, hook lines stand beside it, typing stays with the editor, and all is gone after",
    async () => {
      const opened = await openOmpRig(inOrder(run("echo first"), run("echo second"), { text: "finished it" }));
      rig = opened;
      const gate = await opened.hold("slow-gate", undefined, "czekam on the test");
      const window = await opened.window();
      await window.type("please do both");
      await until(() => gate.asked().length === 1, "the first call");
      await window.until(overlay);
      await window.write("typed meanwhile");
      await window.until("typed meanwhile");
      const during = await window.keep("call overlay 1 during");
      expect(during).toContain("slow-gate: czekam on the test");
      expect(during.split("\n").filter((line) => line.includes(overlay)).length).toBe(1);
      gate.answer("pass");
      await until(() => gate.asked().length === 2, "the second call");
      await window.until(overlay);
      gate.answer("the owner of this folder said no");
      await window.until((screen) => screen.includes("finished it") && !screen.includes(overlay), "the end");
      const after = await window.keep("call overlay 2 after");
      expect(after).toContain("typed meanwhile");
      const answers = opened.model.requests.slice(1).map(lastToolAnswer);
      expect(answers[0]).toStartWith("first");
      expect(answers[1]).toBe("the owner of this folder said no");
      await window.until((screen) => !statusLine(screen).includes("tama"), "a free status line");
    },
    limit,
  );

  test(
    "a message of the person gives up the call that is being decided, which is refused with that cause",
    async () => {
      const opened = await openOmpRig(inOrder(run("touch never"), { text: "as you say" }));
      rig = opened;
      const gate = await opened.hold("slow-gate");
      const window = await opened.window();
      await window.type("please do it");
      await until(() => gate.asked().length === 1, "the call");
      await window.until(overlay);
      await window.type("no, do not do that");
      await window.until((screen) => screen.includes("as you say") && !screen.includes(overlay), "the answer");
      await window.keep("call overlay 4 the person wrote");
      expect(lastToolAnswer(opened.model.requests[1])).toBe(
        "tama: this call did not run: a new message of the person came.",
      );
      await until(() => !opened.processes().some(({ command }) => command.includes("slow-gate.sh")), "the hook's end");
    },
    limit,
  );

  test(
    "a list that the person opened meanwhile keeps the keys when the call is decided",
    async () => {
      const opened = await openOmpRig(inOrder(run("echo first"), { text: "finished it" }));
      rig = opened;
      const gate = await opened.hold("slow-gate");
      const window = await opened.window();
      await window.type("please do it");
      await until(() => gate.asked().length === 1, "the call");
      await window.until(overlay);
      await window.type("/model");
      await window.until("All models");
      gate.answer("pass");
      await until(() => opened.model.requests.length === 2, "the call's result");
      await until(() => decidedEvents(opened).includes("stop"), "the ending");
      await window.write("xyz");
      await window.until(/> xyz/, "the list's search");
      await window.keep("call overlay 5 a list stays open");
    },
    limit,
  );

  test(
    "Esc during a call's gates gives the call up, its hook is ended, and the session takes the next prompt",
    async () => {
      const opened = await openOmpRig(inOrder(run("echo never"), { text: "the second prompt" }));
      rig = opened;
      const gate = await opened.hold("slow-gate");
      const window = await opened.window();
      await window.type("please do it");
      await until(() => gate.asked().length === 1, "the call");
      await window.until(overlay);
      await window.press("Escape");
      await window.until((screen) => !screen.includes(overlay), "no overlay");
      await until(() => !opened.processes().some(({ command }) => command.includes("slow-gate.sh")), "the hook's end");
      await window.type("something else");
      await window.until("the second prompt");
      await window.keep("call overlay 3 given up");
      expect(decidedEvents(opened).filter((event) => event === "tool_call").length).toBeLessThanOrEqual(1);
      expect(
        opened.model.requests
          .at(-1)
          ?.messages.map((message) => message.text)
          .join("\n"),
      ).toContain("Tool was not executed because the run was aborted");
    },
    limit,
  );
});

function statusLine(screen: string): string {
  const lines = screen.trimEnd().split("\n");
  return lines.slice(lines.findLastIndex((line) => line.includes("╰─"))).join("\n");
}
