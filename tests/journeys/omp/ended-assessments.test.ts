import { afterEach, describe, expect, test } from "bun:test";
import { end, limit, type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal, type TerminalWindow } from "../../clients/omp-window.ts";
import { inOrder, type Turn } from "../../clients/scripted-openai.ts";
import { type SecondExtension, secondExtension, sends } from "./second-extension.ts";
import { transcriptEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const overlay = "tama: Tama is assessing this answer (";
const run: Turn = { tools: [{ name: "bash", args: { command: "echo step", i: "Working" } }] };
const answers = ["the first answer", "the second answer"];
const ended = (cause: string): string =>
  `TAMA_HOOK_INFRASTRUCTURE: tama: the assessment of this answer ended before its hooks answered: ${cause}. Nothing was judged.`;
const replaced = ended("a newer candidate answer replaced it");
const runningHooks = (opened: OmpRig): number =>
  opened.processes().filter(({ command }) => command.includes("slow-review.sh")).length;
const continuations = (opened: OmpRig): unknown[] =>
  transcriptEntries(opened)
    .filter((entry) => entry["customType"] === "session-stop-continuation")
    .map((entry) => entry["content"]);

/**
 * A message that comes while OMP asks about an answer waits until OMP has its answer. Only in the run that then takes that message does OMP
 * count as idle while it asks (`isStreaming` looks at prompts and at the agent, and that run is no prompt), and starts what comes next at
 * once. So the second answer is the one that something else may overtake.
 */
async function secondAnswerAssessed(...turns: readonly Turn[]): Promise<{
  opened: OmpRig;
  second: SecondExtension;
  window: TerminalWindow;
  review: Awaited<ReturnType<OmpRig["hold"]>>;
}> {
  const opened = await openOmpRig(inOrder(...answers.map((text) => ({ text })), ...turns), {
    config: "compaction: {keepRecentTokens: 1}\n",
  });
  rig = opened;
  const second = secondExtension(opened);
  const review = await opened.hold("slow-review", { event: "stop" });
  const window = await opened.window();
  await window.type("work");
  await window.until(overlay);
  await second.act(sends("something came in"));
  review.answer("pass");
  await until(() => review.asked().length === 2, "the second assessment");
  await window.until(overlay);
  return { opened, second, window, review };
}

describe.skipIf(unavailable !== null || !hasTerminal)(
  "OMP in a terminal, with another extension that starts turns",
  () => {
    test(
      "a tool's result ends the assessment of the answer before it, whose refusal names that",
      async () => {
        const { opened, second, window, review } = await secondAnswerAssessed(
          run,
          { text: "third" },
          { text: "fourth" },
        );
        await second.act(sends("and another thing"));
        await until(() => continuations(opened).length === 1, "the refusal");
        await window.keep("ended 1 by a tool's result");
        expect(continuations(opened)).toEqual([ended("a tool returned its result")]);
        await window.until("fourth");
        await until(() => review.asked().at(-1)?.["answer"] === "fourth", "the assessment of what came after");
        review.always("pass");
        await window.until((screen) => !screen.includes(overlay), "the end");
        await window.keep("ended 2 after the tool's result");
        expect(review.asked().at(-1)).toMatchObject({ answer: "fourth" });
        expect(continuations(opened).length).toBe(1);
        expect(opened.model.requests.length).toBe(5);
      },
      limit,
    );

    test(
      "a newer answer replaces the assessment of the older one, whose refusal names that; it ends with the newest one's assessment",
      async () => {
        const turns = ["third", "fourth", "fifth", "sixth"].map((text) => ({ text }));
        const { opened, second, window, review } = await secondAnswerAssessed(...turns);
        await second.act(sends("and another thing"));
        // Each refusal makes an answer of its own, which replaces the one before: without an end this would go on for ever.
        await until(() => review.asked().at(-1)?.["answer"] === "fifth", "the newest answer's assessment");
        await window.until(overlay);
        await window.keep("ended 3 by a newer answer");
        await until(() => runningHooks(opened) === 1, "the older hooks' end");
        review.always("pass");
        await window.until((screen) => !screen.includes(overlay), "the end");
        expect(continuations(opened)).toEqual([replaced, replaced]);
        expect(review.asked().at(-1)).toMatchObject({ answer: "fifth" });
        expect(opened.model.requests.length).toBe(5);
      },
      limit,
    );

    test(
      "a compaction that another extension asks for while an answer is assessed gives the assessment up, as the person's does",
      async () => {
        const { opened, second, review } = await secondAnswerAssessed({ text: "never" });
        await second.act("return context.compact();");
        await until(() => transcriptEntries(opened).some((entry) => entry["type"] === "compaction"), "the compaction");
        await until(() => runningHooks(opened) === 0, "the hook's end");
        // OMP interrupts what is asked before it compacts; nobody would hear a refusal.
        expect(continuations(opened)).toEqual([]);
        expect(review.asked().length).toBe(2);
        expect(opened.model.requests.length).toBe(2);
      },
      limit,
    );

    test(
      "a core that dies while it assesses an answer refuses the ending with the cause, and the next answer is assessed",
      async () => {
        const { opened, window, review } = await secondAnswerAssessed({ text: "third" });
        const core = opened.processes().find(({ command }) => command.includes("run-hook omp --serve"));
        end(core?.pid ?? 0);
        await until(() => review.asked().length === 3, "the assessment of the next answer");
        await window.until(overlay);
        await window.keep("ended 4 the core died");
        review.always("pass");
        await window.until((screen) => !screen.includes(overlay), "the end");
        const died =
          "TAMA_HOOK_INFRASTRUCTURE: tama: the core was ended by SIGKILL before it answered. Nothing was judged.";
        expect(continuations(opened)).toEqual([expect.stringContaining(died)]);
        expect(review.asked().at(-1)).toMatchObject({ answer: "third", stopHookActive: true });
        expect(opened.model.requests.length).toBe(3);
      },
      limit,
    );
  },
);
