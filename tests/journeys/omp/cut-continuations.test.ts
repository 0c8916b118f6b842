import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal, type TerminalWindow } from "../../clients/omp-window.ts";
import { inOrder, type Turn } from "../../clients/scripted-openai.ts";
import { secondExtension } from "./second-extension.ts";
import { ownEntries } from "./transcript-entries.ts";

// What keeps a cut answer's continuation from starting a turn, beside a message that takes the turn (text-gate.test.ts): another extension
// that holds OMP up. The adapter waits a minute for OMP's run to end and 15 s for the next one to begin, so the journeys wait beside each other.

const never = "Tama: the cut answer's continuation did not start a turn: ";
const prose: Turn = { pieces: ["my first words", new Promise<void>(() => {}), "never said"] };

interface Cut {
  readonly opened: OmpRig;
  readonly window: TerminalWindow;
  /** Lets OMP go on. */
  readonly letGo: () => void;
}

/** An answer is cut while another extension holds up what the handlers say. `held` stands in them for the file that says so. */
async function cutWhileHeld(handlers: (held: string) => string, journey: (cut: Cut) => Promise<void>): Promise<void> {
  const opened = await openOmpRig(inOrder(prose, { text: "the next answer" }, { text: "one more" }));
  try {
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
  } finally {
    await opened.close();
  }
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
          await window.keep("cut 1 no start reported");
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
          const minute = performance.now() + 61_000;
          await until(() => performance.now() > minute - 5000, "most of a minute");
          await window.until(`${never}OMP's run did not end within 60 s`);
          await window.keep("cut 2 the run did not end");
          letGo();
          await window.until("the next answer");
          expect(opened.model.requests[1]?.messages.at(-1)?.text).toContain("a turn of mine");
        },
      ),
  ],
];

test.skipIf(unavailable !== null || !hasTerminal)(
  "what keeps a cut answer's continuation from starting a turn is said in OMP's window",
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
