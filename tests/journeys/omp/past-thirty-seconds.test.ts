import { expect, test } from "bun:test";
import { type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal } from "../../clients/omp-window.ts";
import { inOrder, lastToolAnswer, type ModelRequest, type Script, type Turn } from "../../clients/scripted-openai.ts";
import { transcriptEntries } from "./transcript-entries.ts";

// OMP gives a handler 30 s. What is shown here needs longer than that, so the journeys wait beside each other.

const longMs = 32_000;
const run = (command: string) => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });
const stop = { event: "stop" };

const tasks = [{ name: "One", task: "LOOK one: say what stands there." }];

function delegating(request: ModelRequest): Turn {
  const answered = request.messages.filter((message) => message.role === "tool").length;
  const isSub = request.messages.some((message) => message.role === "user" && message.text.includes("LOOK one"));
  if (!isSub)
    return answered === 0
      ? { tools: [{ name: "task", args: { context: "a test", tasks, i: "Delegating" } }] }
      : { text: "finished" };
  if (answered === 0) return run("echo from below");
  return answered === 1 ? { tools: [{ name: "yield", args: { data: "done", i: "Reporting" } }] } : { text: "done" };
}

async function inRig(script: Script, journey: (opened: OmpRig) => Promise<void>, config = ""): Promise<void> {
  const opened = await openOmpRig(script, { config });
  try {
    await journey(opened);
  } finally {
    await opened.close();
  }
}

/** Waits until something is older than OMP's clock. */
async function older(since: number): Promise<void> {
  await until(() => performance.now() - since > longMs, "OMP's clock");
}

const journeys: readonly (readonly [what: string, needsWindow: boolean, run: () => Promise<void>])[] = [
  [
    "without a window a call is decided by its gates' verdicts, however long they take",
    false,
    () =>
      inRig(inOrder(run("echo first"), run("echo second"), { text: "finished" }), async (opened) => {
        const gate = await opened.hold("slow-gate");
        const omp = opened.start("work");
        await until(() => gate.asked().length === 1, "the call");
        await older(performance.now());
        gate.answer("after a long look: no");
        await until(() => gate.asked().length === 2, "the second call");
        gate.answer("pass");
        expect(await omp.ended).toMatchObject({ code: 0, stdout: "finished\n" });
        const answers = opened.model.requests.slice(1).map(lastToolAnswer);
        expect(answers[0]).toBe("after a long look: no");
        expect(answers[1]).toStartWith("second");
      }),
  ],
  [
    "a subagent's call is decided by its gates' verdicts too, however long they take",
    false,
    () =>
      inRig(delegating, async (opened) => {
        const gate = await opened.hold("slow-gate");
        const omp = opened.start("delegate it");
        await until(() => gate.asked().length === 1, "the subagent's call");
        await older(performance.now());
        gate.answer("after a long look: no");
        expect(await omp.ended).toMatchObject({ code: 0, stdout: "finished\n" });
        expect(gate.asked()[0]).toMatchObject({ agent: "sub", agentId: "One" });
        expect(opened.model.requests.map(lastToolAnswer)).toContain("after a long look: no");
      }),
  ],
  [
    "in a window a call is decided by its gates' verdicts, however long they take",
    true,
    () =>
      inRig(inOrder(run("echo first"), { text: "finished it" }), async (opened) => {
        const gate = await opened.hold("slow-gate");
        const window = await opened.window();
        await window.type("work");
        await until(() => gate.asked().length === 1, "the call");
        await older(performance.now());
        const during = await window.keep("past 30 s 1 the call waits");
        expect(during).toContain("tama: the gates of this bash call decide");
        gate.answer("pass");
        await window.until("finished it");
        expect(lastToolAnswer(opened.model.requests[1])).toStartWith("first");
        expect(await window.keep("past 30 s 2 the call ran")).not.toContain("timed out");
      }),
  ],
  [
    "in a window a refusal that comes after OMP's budget starts the next turn, and that turn's ending is gated",
    true,
    () =>
      inRig(inOrder({ text: "half of it" }, { text: "all of it" }), async (opened) => {
        const review = await opened.hold("slow-review", stop);
        const window = await opened.window();
        await window.type("work");
        await until(() => review.asked().length === 1, "the assessment");
        await window.until("Tama is assessing this answer");
        await older(performance.now());
        const ended = await window.until((screen) => !screen.includes("is assessing this answer"), "the turn's end");
        await window.keep("past 30 s 3 the turn ended");
        expect(ended).not.toContain("timed out");
        review.answer("late, but no: do the other half too");
        await window.until("all of it");
        await until(() => review.asked().length === 2, "the second assessment");
        review.answer("pass");
        await window.keep("past 30 s 4 the late refusal");
        expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("late, but no: do the other half too");
        const sent = transcriptEntries(opened).filter((entry) => entry["customType"] === "tama-ending");
        expect(sent).toMatchObject([{ content: "late, but no: do the other half too", attribution: "agent" }]);
        expect(review.asked()[1]).toMatchObject({ answer: "all of it", stopHookActive: false });
      }),
  ],
  [
    "in a window the person's prompt gives a late assessment up, and nothing is sent for it",
    true,
    () =>
      inRig(inOrder({ text: "the first answer" }, { text: "the second answer" }), async (opened) => {
        const review = await opened.hold("slow-review", stop);
        const window = await opened.window();
        await window.type("first");
        await until(() => review.asked().length === 1, "the assessment");
        await older(performance.now());
        await window.until((screen) => !screen.includes("is assessing this answer"), "the turn's end");
        await window.type("rather the second");
        await window.until("the second answer");
        await until(() => review.asked().length === 2, "the second assessment");
        review.answer("pass");
        await window.until((screen) => !screen.includes("is assessing this answer"), "the end");
        expect(opened.model.requests.length).toBe(2);
        expect(transcriptEntries(opened).filter((entry) => entry["customType"] === "tama-ending")).toEqual([]);
      }),
  ],
  [
    "in a window a compaction gives a late assessment up, and the refusal that names it starts the next turn",
    true,
    () =>
      inRig(
        inOrder({ text: "the first answer" }, { text: "the second answer" }, { text: "after the compaction" }),
        async (opened) => {
          const review = await opened.hold("slow-review", stop);
          const window = await opened.window();
          await window.type("the first message");
          await until(() => review.asked().length === 1, "the first assessment");
          review.answer("pass");
          await until(review.heard, "the first verdict taken");
          await window.until((screen) => !screen.includes("is assessing this answer"), "the first turn's end");
          await window.type("the second message");
          await until(() => review.asked().length === 2, "the second assessment");
          await window.until("is assessing this answer");
          await older(performance.now());
          await window.until((screen) => !screen.includes("is assessing this answer"), "the turn's end");
          await window.type("/compact");
          await window.until("after the compaction");
          await until(() => review.asked().length === 3, "the assessment of the new answer");
          review.answer("pass");
          await window.keep("past 30 s 5 the compaction");
          const named = "the assessment of this answer ended before its hooks answered: the session was compacted.";
          expect(opened.model.requests[2]?.messages.at(-1)?.text).toContain(named);
          const sent = transcriptEntries(opened).filter((entry) => entry["customType"] === "tama-ending");
          expect(sent).toMatchObject([{ content: expect.stringContaining(named), attribution: "agent" }]);
          expect(review.asked()[2]).toMatchObject({ answer: "after the compaction", stopHookActive: false });
        },
        "compaction: {keepRecentTokens: 1}\n",
      ),
  ],
];

test.skipIf(unavailable !== null)(
  "OMP past its own thirty seconds",
  async () => {
    const able = journeys.filter(([, needsWindow]) => hasTerminal || !needsWindow);
    const outcomes = await Promise.all(
      able.map(async ([what, , journey]) =>
        journey().then(
          () => null,
          (cause: Error) => `${what}: ${cause.message}`,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual([]);
  },
  200_000,
);
