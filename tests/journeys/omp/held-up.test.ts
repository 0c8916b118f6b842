import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal, type TerminalWindow } from "../../clients/omp-window.ts";
import { inOrder, lastToolAnswer, type Script, type Turn } from "../../clients/scripted-openai.ts";
import { secondExtension, sends } from "./second-extension.ts";
import { ownEntries } from "./transcript-entries.ts";

// What happens when another extension holds OMP up, or goes on while Tama still waits. Each journey waits for a clock (15 s, 28 s or a
// minute), so they wait beside each other.

const never = "Tama: the cut answer's continuation did not start a turn: ";
const prose: Turn = { pieces: ["my first words", new Promise<void>(() => {}), "never said"] };
const run: Turn = { tools: [{ name: "bash", args: { command: "echo step", i: "Working" } }] };
const overlay = "is assessing this answer";

async function inRig(script: Script, journey: (opened: OmpRig) => Promise<void>): Promise<void> {
  const opened = await openOmpRig(script);
  try {
    await journey(opened);
  } finally {
    await opened.close();
  }
}

interface Cut {
  readonly opened: OmpRig;
  readonly window: TerminalWindow;
  /** Lets OMP go on. */
  readonly letGo: () => void;
}

/** An answer is cut while another extension holds up what the handlers say. `held` stands in them for the file that says so. */
function cutWhileHeld(handlers: (held: string) => string, journey: (cut: Cut) => Promise<void>): Promise<void> {
  return inRig(inOrder(prose, { text: "the next answer" }, { text: "one more" }), async (opened) => {
    const held = join(opened.home, "held");
    secondExtension(opened, "aa-first", handlers(JSON.stringify(held)));
    const gate = await opened.hold("no-prose", { event: "before_provider" });
    gate.answer("work is open: use a tool");
    const window = await opened.window();
    writeFileSync(held, "");
    await window.type("work");
    await until(() => ownEntries(opened, "tama-cut").length === 1, "the cut");
    gate.always("pass");
    await journey({ opened, window, letGo: () => rmSync(held) });
  });
}

/** OMP ended the turn at 28 s while the answer was assessed; then another extension starts a turn of its own. */
function lateAndOvertaken(turns: readonly Turn[], moment: string): Promise<void> {
  return inRig(inOrder({ text: "the first answer" }, ...turns, { text: "the next answer" }), async (opened) => {
    const second = secondExtension(opened);
    const review = await opened.hold("slow-review", { event: "stop" });
    const running = (): number => opened.processes().filter(({ command }) => command.includes("slow-review.sh")).length;
    const window = await opened.window();
    await window.type("work");
    await window.until(overlay);
    await window.until((screen) => !screen.includes(overlay), "the turn's end");
    expect(running()).toBe(1);
    await second.act(sends("something came in"));
    await until(() => review.asked().length === 2, "the next answer's assessment");
    await until(() => running() === 1, "the first hook's end");
    review.always("pass");
    await window.until((screen) => screen.includes("the next answer") && !screen.includes(overlay), "the end");
    await window.keep(moment);
    expect(review.asked().map((event) => event["answer"])).toEqual(["the first answer", "the next answer"]);
    // The newer turn has an ending of its own, so nothing is sent for the older one.
    expect(ownEntries(opened, "tama-ending")).toEqual([]);
    expect(opened.model.requests.length).toBe(turns.length + 2);
  });
}

const journeys: readonly (readonly [what: string, run: () => Promise<void>])[] = [
  [
    "no start of a run is reported",
    () =>
      cutWhileHeld(
        (held) => `let runs = 0;
        pi.on("agent_start", async () => { if (++runs === 2) await heldWhile(${held}); });`,
        async ({ window, letGo }) => {
          await window.until(`${never}OMP reported no start of a run within 15 s`);
          await window.keep("held up 1 no start reported");
          letGo();
          await window.until("the next answer");
        },
      ),
  ],
  [
    "OMP's run does not end",
    () =>
      cutWhileHeld(
        (held) => `let mine = false;
        pi.on("agent_end", async (_event, given) => {
          if (mine) return;
          mine = true;
          while (!given.isIdle()) await sleep(5);
          pi.sendUserMessage("a turn of mine", { attribution: "agent" });
          while (given.isIdle()) await sleep(5);
        });
        for (let handler = 0; handler < 4; handler++) pi.on("before_agent_start", async (event) => {
          if (event.prompt === "a turn of mine") await heldWhile(${held});
        });`,
        async ({ opened, window, letGo }) => {
          // A minute is more than a window is looked at.
          const cutAt = performance.now();
          await until(() => performance.now() - cutAt > 50_000, "most of the minute");
          await window.until(`${never}OMP's run did not end within 60 s`);
          await window.keep("held up 2 the run did not end");
          letGo();
          await window.until("the next answer");
          expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("a turn of mine");
        },
      ),
  ],
  [
    "a late assessment is ended by a tool's result",
    () => lateAndOvertaken([run], "held up 3 a late assessment and a tool's result"),
  ],
  [
    "a late assessment is ended by a newer answer",
    () => lateAndOvertaken([], "held up 4 a late assessment and a newer answer"),
  ],
  [
    "OMP's clock over a call is not lifted",
    () =>
      inRig(inOrder(run, { text: "finished" }), async (opened) => {
        const clock = `pi.pi.settings.override("extensionHandlers.toolCallTimeoutMs", 30_000);`;
        secondExtension(opened, "zz-second", `pi.on("session_start", () => { ${clock} });`);
        const gate = await opened.hold("slow-gate");
        expect(await opened.start("work").ended).toMatchObject({ code: 0, stdout: "finished\n" });
        expect(gate.asked().length).toBe(1);
        expect(lastToolAnswer(opened.model.requests[1])).toBe(
          "TAMA_HOOK_INFRASTRUCTURE: tama: slow-gate did not answer for this bash call after 28 s, and OMP waits 30 s at most. Nothing was judged.",
        );
        await until(() => opened.processes().length === 0, "the end of every process");
      }),
  ],
];

test.skipIf(unavailable !== null || !hasTerminal)(
  "another extension that holds OMP up, or goes on while Tama still waits, makes nothing pass and nothing loop",
  async () => {
    const outcomes = await Promise.all(
      journeys.map(async ([what, journey]) =>
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
