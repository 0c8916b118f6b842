import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type CodexRig, openCodexRig } from "../../clients/codex-rig.ts";
import { openCodexWindow } from "../../clients/codex-window.ts";
import { hasTerminal, type TerminalWindow } from "../../clients/omp-window.ts";
import { inOrder, shell, toldOutputs } from "../../clients/scripted-responses.ts";
import { runs } from "../process-table.ts";
import { declareStubborn } from "../stubborn-hook.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";

let rig: CodexRig | null = null;
let window: TerminalWindow | null = null;
afterEach(async () => {
  await window?.close();
  await rig?.close();
  window = null;
  rig = null;
});

const review = "8 hooks are new or changed";
const notRun = "Codex does not run Tama's hooks, since you have not trusted them: ";
const prompt = "Ask Codex to do anything";
const why = unavailable ?? (hasTerminal ? null : "no tmux is here");

/** Codex with Tama installed and its hooks not trusted yet; a hook of the person's refuses every call. */
async function untrusted(): Promise<{ opened: CodexRig; shown: TerminalWindow }> {
  const script = inOrder(shell("touch ran"), { text: "I am done" });
  const opened = await openCodexRig({ script, install: ["--no-binary"] });
  rig = opened;
  const guard = opened.world.script("guard", `cat >/dev/null; echo 'the owner of this folder said no' >&2; exit 2`);
  await declareHook(opened.world, { id: "guard", command: [guard] });
  const shown = await openCodexWindow(opened);
  window = shown;
  await shown.until(review);
  return { opened, shown };
}

/** A page that was just drawn may not listen yet; the key does nothing more once it was heard. */
async function pressUntil(shown: TerminalWindow, key: string, done: (screen: string) => boolean): Promise<void> {
  await shown.press(key);
  let pressed = performance.now();
  await until(`what ${key} does`, async () => {
    if (done(await shown.screen())) return true;
    if (performance.now() - pressed < 2000) return false;
    pressed = performance.now();
    await shown.press(key);
    return false;
  });
}

describe.skipIf(why !== null)(`Codex in a terminal${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test(
    "the person reviews and trusts Tama's hooks on Codex's own page; from then on they decide, and doctor finds the trust",
    async () => {
      const { opened, shown } = await untrusted();
      expect((await opened.tama("doctor")).stdout).toContain(notRun);
      await shown.keep("1 hooks need review");
      await pressUntil(shown, "Enter", (screen) => screen.includes("t trust all"));
      await shown.keep("2 the page of the hooks");
      await pressUntil(shown, "t", (screen) => screen.includes("Lifecycle hooks") && !screen.includes("trust all"));
      await pressUntil(shown, "Escape", (screen) => screen.includes(prompt));
      await shown.type("touch the file");
      await shown.until("I am done");
      const after = await shown.keep("3 a refused call");
      expect(after).toContain("the owner of this folder said no");
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
      expect(toldOutputs(opened.model)[0]).toContain("the owner of this folder said no");
      expect((await opened.tama("doctor")).stdout).not.toContain(notRun);
    },
    limit,
  );

  test(
    "a person who goes on without trusting has no gate: the call runs, and doctor says what to do",
    async () => {
      const { opened, shown } = await untrusted();
      await pressUntil(shown, "Up", (screen) => screen.includes("› 3. Continue without trusting"));
      await pressUntil(shown, "Enter", (screen) => screen.includes(prompt));
      await shown.type("touch the file");
      await shown.until("I am done");
      await shown.keep("4 not trusted");
      expect(existsSync(join(opened.work, "ran"))).toBe(true);
      const doctor = await opened.tama("doctor");
      expect(doctor.code).toBe(1);
      expect(doctor.stdout).toContain(notRun);
      expect(doctor.stdout).toContain("choose Review hooks (or type /hooks), and trust Tama's");
      expect(doctor.stdout).toContain("codex ran calls Tama never saw in session ");
    },
    limit,
  );

  test(
    "Esc while a hook runs ends it, the next message what left its group, and the call does not run",
    async () => {
      const opened = await openCodexRig({ script: inOrder(shell("touch ran"), { text: "as you say" }) });
      rig = opened;
      const stubborn = await declareStubborn(opened.world);
      const shown = await openCodexWindow(opened);
      window = shown;
      await shown.until(prompt);
      await shown.type("touch the file");
      await until("the hook and what it started", () => stubborn().length === 2 && stubborn().every(runs));
      await shown.keep("5 a hook that runs");
      await shown.press("Escape");
      // Codex kills the hook's whole group, Tama's own process with it.
      await until("the end of the hook", () => !stubborn().slice(0, 1).some(runs));
      await shown.until("Conversation interrupted");
      await shown.keep("6 a hook ended by Esc");
      await shown.type("rather not");
      await until("the end of what left its group", () => !stubborn().some(runs));
      await shown.until("as you say");
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
    },
    limit,
  );
});
