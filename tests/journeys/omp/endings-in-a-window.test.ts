import { afterEach, describe, expect, test } from "bun:test";
import { decidedEvents, limit, type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal } from "../../clients/omp-window.ts";
import { inOrder } from "../../clients/scripted-openai.ts";
import { transcriptEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const stop = { event: "stop" };
const overlay = /tama: Tama is assessing this answer \(e\d+: slow-review, \d+\.\d s\)/;
const runs = (opened: OmpRig, hook: string): boolean =>
  opened.processes().some(({ command }) => command.includes(`${hook}.sh`));

describe.skipIf(unavailable !== null || !hasTerminal)("OMP in a terminal", () => {
  test(
    "an ending's assessment is shown with what runs, its refusal sends the model on, and its pass ends the turn",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "half of it" }, { text: "all of it" }));
      rig = opened;
      const review = await opened.hold("slow-review", stop);
      const window = await opened.window();
      await window.type("work");
      await window.until(overlay);
      await window.keep("ending 1 assessed");
      await window.write("typed meanwhile");
      await window.until("typed meanwhile");
      review.answer("do the other half too");
      await window.until("all of it");
      await until(() => review.asked().length === 2, "the second assessment");
      await window.until(overlay);
      review.answer("pass");
      await window.until((screen) => !overlay.test(screen), "no overlay");
      await window.keep("ending 2 passed");
      expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("do the other half too");
      expect(review.asked()[1]).toMatchObject({ answer: "all of it", window: true, stopHookActive: true });
      expect(opened.model.requests.length).toBe(2);
    },
    limit,
  );

  test(
    "the person's prompt takes the turn from an assessment, which then sends nothing; its own answer is assessed",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "the first answer" }, { text: "the second answer" }));
      rig = opened;
      const review = await opened.hold("slow-review", stop);
      const window = await opened.window();
      await window.type("first");
      await window.until(overlay);
      await window.type("rather the second");
      await window.until("the second answer");
      await until(() => review.asked().length === 2, "the second assessment");
      expect(review.asked().map((event) => event["answer"])).toEqual(["the first answer", "the second answer"]);
      await window.until(overlay);
      await window.keep("ending 3 the person took the turn");
      review.answer("pass");
      await window.until((screen) => !overlay.test(screen), "no overlay");
      expect(opened.model.requests.length).toBe(2);
      expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("rather the second");
    },
    limit,
  );

  test(
    "an interrupted assessment sends nothing and restarts nothing",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "the first answer" }, { text: "the second answer" }));
      rig = opened;
      const review = await opened.hold("slow-review", stop);
      const window = await opened.window();
      await window.type("first");
      await window.until(overlay);
      await window.press("Escape");
      await window.until((screen) => !overlay.test(screen), "no overlay");
      await until(() => !runs(opened, "slow-review"), "the hook's end");
      await window.keep("ending 4 interrupted");
      review.always("refused, if anybody still listened");
      expect(opened.model.requests.length).toBe(1);
      review.always("pass");
      await window.type("second");
      await window.until("the second answer");
      await until(() => decidedEvents(opened).filter((event) => event === "stop").length >= 1, "the second's ending");
      expect(opened.model.requests.length).toBe(2);
      expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("second");
    },
    limit,
  );

  // OMP interrupts the run before it does any of these, so the turn is nobody's: a refusal would have no session to go to.
  for (const command of ["/new", "/compact", "/exit"])
    test(
      `${command} while an answer is assessed gives the assessment up, ends its hook and sends nothing`,
      async () => {
        const opened = await openOmpRig(inOrder({ text: "the first answer" }, { text: "the second answer" }), {
          config: "compaction: {keepRecentTokens: 1}\n",
        });
        rig = opened;
        const review = await opened.hold("slow-review", stop);
        const window = await opened.window();
        await window.type("work");
        await window.until(overlay);
        const typed = window.type(command).catch((cause: Error) => cause);
        await until(() => !runs(opened, "slow-review"), "the hook's end");
        const outcome = await typed;
        if (command === "/exit") await until(() => opened.processes().length === 0, "the end of every process");
        else expect(outcome).toBeUndefined();
        expect(review.asked().length).toBe(1);
        expect(opened.model.requests.length).toBe(1);
        const kinds = transcriptEntries(opened).map((entry) => entry["customType"]);
        expect(kinds.filter((kind) => kind === "session-stop-continuation" || kind === "tama-ending")).toEqual([]);
        if (command === "/exit") return;
        review.always("pass");
        await window.type("the next message");
        await window.until("the second answer");
        expect(opened.model.requests.length).toBe(2);
        expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("the next message");
      },
      limit,
    );

  test(
    "what enforces changed while an answer was assessed: it is assessed again, and that verdict is awaited",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "half of it" }, { text: "all of it" }));
      rig = opened;
      const review = await opened.hold("slow-review", stop);
      const window = await opened.window();
      await window.type("work");
      await window.until(overlay);
      await opened.declare("new-rule", `case "$(cat)" in *half*) echo 'by the new rule' >&2; exit 2;; esac\n`, stop);
      review.always("pass");
      await window.until("all of it");
      expect(
        review
          .asked()
          .map((event) => event["answer"])
          .slice(0, 2),
      ).toEqual(["half of it", "half of it"]);
      expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("by the new rule");
    },
    limit,
  );
});
