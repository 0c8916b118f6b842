import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal } from "../../clients/omp-window.ts";
import { inOrder as anthropicInOrder, startModel as startAnthropic } from "../../clients/scripted-anthropic.ts";
import { inOrder, type ModelRequest, type Turn } from "../../clients/scripted-openai.ts";
import { ownEntries, transcriptEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const beforeProvider = { event: "before_provider" };
const run = (command: string): Turn => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });
const choices = (opened: OmpRig): unknown[] => opened.model.requests.map((request) => request.toolChoice);
const lastText = (request: ModelRequest | undefined): string => request?.messages.at(-1)?.text ?? "";

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "without a window a refused text gate requires a tool and cuts nothing; a pass and no gate leave the request alone",
    async () => {
      const opened = await openOmpRig(inOrder(run("echo one"), { text: "words after all" }));
      rig = opened;
      const gate = await opened.hold("no-prose", beforeProvider);
      gate.always("work is open: use a tool");
      const ended = await opened.start("work").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "words after all\n" });
      expect(choices(opened)).toEqual(["required", "required"]);
      expect(ownEntries(opened, "tama-cut")).toEqual([]);
      expect(gate.asked()[0]).toMatchObject({ api: "openai-completions", canRequireTools: true, agent: "main" });
      gate.always("pass");
      const passed = opened.model.requests.length;
      expect((await opened.start("work").ended).code).toBe(0);
      expect(choices(opened).slice(passed)).toEqual([null]);
    },
    limit,
  );

  test(
    "an answer that fails in the background replaces the pass of its generation",
    async () => {
      const opened = await openOmpRig(inOrder(run("echo one"), run("echo two"), run("echo three"), { text: "over" }));
      rig = opened;
      const gate = `n="$TAMA_HOME/../n"; echo x >> "$n"; [ "$(wc -l < "$n")" = 1 ] || exit 9\n`;
      await opened.declare("no-prose", gate, beforeProvider);
      expect((await opened.start("work").ended).code).toBe(0);
      // Passed; passed still, while the refresh of the second runs; failed after it, and ever since.
      expect(choices(opened)[0]).toBeNull();
      expect(choices(opened).slice(2)).toEqual(["required", "required"]);
      const [record] = readdirSync(join(opened.tamaHome, "sessions")).filter((name) => name.endsWith(".json"));
      const kept = JSON.parse(readFileSync(join(opened.tamaHome, "sessions", record ?? ""), "utf8"));
      expect(kept.beforeProvider.verdict).not.toBe("pass");
      expect(kept.beforeProvider.cause).toContain("TAMA_HOOK_INFRASTRUCTURE: no-prose: ");
    },
    limit,
  );

  test(
    "over RPC refused words are not cut, and a person's abort in their middle is no cut and starts nothing",
    async () => {
      const held = Promise.withResolvers<void>();
      const prose: Turn = { pieces: ["my first words", held.promise, " and more"] };
      const opened = await openOmpRig(inOrder(prose, { text: "after the abort" }));
      rig = opened;
      const gate = await opened.hold("no-prose", beforeProvider);
      gate.always("work is open: use a tool");
      const omp = opened.rpc();
      const count = (type: string): number => omp.reported().filter((one) => one === type).length;
      await until(() => omp.reported().includes("ready"), "OMP's readiness");
      omp.send({ id: "1", type: "prompt", message: "work" });
      await until(() => count("message_update") > 0, "the first words");
      omp.send({ id: "2", type: "abort" });
      await until(() => omp.answered("2") && count("agent_end") === 1, "the end of the run");
      held.resolve();
      expect(transcriptEntries(opened).filter(isAborted).length).toBe(1);
      omp.send({ id: "3", type: "prompt", message: "go on" });
      await until(() => count("agent_end") === 2, "the end of the next run");
      expect((await omp.end()).code).toBe(0);
      expect(opened.model.requests.length).toBe(2);
      expect(lastText(opened.model.requests[1])).toContain("go on");
      expect(ownEntries(opened, "tama-cut")).toEqual([]);
      expect(transcriptEntries(opened).filter((entry) => entry["customType"] === "tama-text-gate")).toEqual([]);
    },
    limit,
  );
});

describe.skipIf(unavailable !== null || !hasTerminal)("OMP in a terminal", () => {
  test(
    "the first words of a refused answer end the run; a hidden message with the reason starts the next turn, whose ending is gated",
    async () => {
      const held = Promise.withResolvers<void>();
      const prose: Turn = { pieces: ["Here are ", "my first words", held.promise, " and many more of them"] };
      const opened = await openOmpRig(inOrder(prose, run("echo working"), { text: "finished in order" }));
      rig = opened;
      const gate = await opened.hold("no-prose", beforeProvider);
      const ending = await opened.hold("ending-gate", { event: "stop" });
      ending.always("pass");
      gate.always("work is open: use a tool");
      const window = await opened.window();
      await window.type("work");
      await until(() => opened.model.requests.length === 2, "the continuation");
      held.resolve();
      gate.always("pass");
      await window.keep("text gate 1 cut");
      await window.until("finished in order");
      await until(() => ending.asked().length === 1, "the ending of the continuation");
      const screen = await window.keep("text gate 2 continued");
      expect(screen).not.toContain("many more of them");
      expect(screen).not.toContain("work is open");
      expect(lastText(opened.model.requests[1])).toContain("work is open: use a tool");
      expect(ownEntries(opened, "tama-cut")).toMatchObject([
        { data: { by: "tama", reason: "work is open: use a tool" } },
      ]);
      const sent = transcriptEntries(opened).filter((entry) => entry["customType"] === "tama-text-gate");
      expect(sent).toMatchObject([{ display: false, attribution: "agent" }]);
      expect(ending.asked()[0]).toMatchObject({ answer: "finished in order", stopHookActive: false });
    },
    limit,
  );

  test(
    "a gate that has not answered gives no pass; the person's own interrupt is no cut and starts nothing",
    async () => {
      const held = Promise.withResolvers<void>();
      const slow: Turn = { pieces: ["  ", held.promise, "never shown"] };
      const opened = await openOmpRig(inOrder({ text: "early words" }, slow, { text: "after the interrupt" }));
      rig = opened;
      const gate = await opened.hold("no-prose", beforeProvider);
      const window = await opened.window();
      await window.type("work");
      await until(() => opened.model.requests.length === 2, "the continuation");
      expect(lastText(opened.model.requests[1])).toContain("it has not answered");
      gate.always("pass");
      await window.press("Escape");
      await until(() => transcriptEntries(opened).filter(isAborted).length === 2, "the person's abort");
      expect(ownEntries(opened, "tama-cut").length).toBe(1);
      expect(opened.model.requests.length).toBe(2);
      held.resolve();
      await window.type("go on");
      await window.until("after the interrupt");
      expect(opened.model.requests.length).toBe(3);
    },
    limit,
  );

  test(
    "a message of the person takes the turn from a cut answer's continuation, and the line below the editor says so",
    async () => {
      const held = Promise.withResolvers<void>();
      const prose: Turn = { pieces: ["  ", held.promise, "my first words"] };
      const opened = await openOmpRig(inOrder(prose, { text: "the answer to the person" }));
      rig = opened;
      const gate = await opened.hold("no-prose", beforeProvider);
      gate.answer("work is open: use a tool");
      const window = await opened.window();
      await window.type("work");
      await until(() => opened.model.requests.length === 1, "the first request");
      await window.type("rather do this");
      gate.always("pass");
      held.resolve();
      await window.until("Tama: the cut answer's continuation did not start a turn: another message took the turn");
      await window.keep("text gate 4 the person took the turn");
      await window.until("the answer to the person");
      expect(opened.model.requests.length).toBe(2);
      expect(lastText(opened.model.requests[1])).toContain("rather do this");
      expect(ownEntries(opened, "tama-cut").length).toBe(1);
      expect(transcriptEntries(opened).filter((entry) => entry["customType"] === "tama-text-gate")).toEqual([]);
    },
    limit,
  );

  test(
    "an Anthropic Messages request goes unchanged, its first words are cut in a window, and the continuation works",
    async () => {
      const turns = [
        { text: "words first" },
        { tools: [{ name: "bash", input: { command: "echo ok", i: "Working" } }] },
      ];
      const anthropic = startAnthropic(anthropicInOrder(...turns, { text: "finished in order" }));
      try {
        const opened = await openOmpRig(inOrder());
        rig = opened;
        const models = join(opened.home, ".omp/agent/models.yml");
        const there = readFileSync(models, "utf8").replace("api: openai-completions", "api: anthropic-messages");
        writeFileSync(models, there.replace(/baseUrl: .*/, `baseUrl: http://127.0.0.1:${anthropic.port}`));
        const gate = await opened.hold("no-prose", beforeProvider);
        gate.answer("work is open: use a tool");
        const window = await opened.window();
        await window.type("work");
        await until(() => anthropic.requests.length === 2, "the continuation");
        gate.always("pass");
        await window.until("finished in order");
        await window.keep("text gate 3 anthropic continued");
        expect(gate.asked()[0]).toMatchObject({ api: "anthropic-messages", canRequireTools: false });
        expect(ownEntries(opened, "tama-cut").length).toBe(1);
        const told = anthropic.requests[1]?.messages.map((message) => message.text).join("\n");
        expect(told).toContain("work is open: use a tool");
      } finally {
        await anthropic.stop();
      }
    },
    limit,
  );

  test(
    "a subagent's words are not watched",
    async () => {
      const script = (request: ModelRequest): Turn => {
        const answered = request.messages.filter((message) => message.role === "tool").length;
        const isSub = request.messages.some((message) => message.role === "user" && message.text.includes("LOOK one"));
        if (isSub) return answered === 0 ? { text: "prose of a subagent", ...report } : { text: "done" };
        return answered === 0 ? delegate : { text: "finished by the main agent" };
      };
      const opened = await openOmpRig(script);
      rig = opened;
      const gate = await opened.hold("no-prose", { event: "before_provider", agent: "sub" });
      gate.always("no words, please");
      const window = await opened.window();
      await window.type("delegate it");
      await window.until("finished by the main agent");
      expect(gate.asked().every((event) => event["agent"] === "sub")).toBe(true);
      expect(ownEntries(opened, "tama-cut")).toEqual([]);
      const assistant = transcriptEntries(opened).filter((entry) =>
        JSON.stringify(entry).includes("prose of a subagent"),
      );
      expect(assistant.length).toBeGreaterThan(0);
    },
    limit,
  );
});

const report: Turn = { tools: [{ name: "yield", args: { data: "done", i: "Reporting" } }] };
const tasks = [{ name: "One", task: "LOOK one: say what stands there." }];
const delegate: Turn = { tools: [{ name: "task", args: { context: "a test", tasks, i: "Delegating" } }] };

function isAborted(entry: Record<string, unknown>): boolean {
  const message = entry["message"];
  return typeof message === "object" && message !== null && Reflect.get(message, "stopReason") === "aborted";
}
