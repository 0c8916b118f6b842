import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClaudeRig } from "./claude-rig.ts";
import { openWindow, type TerminalWindow } from "./omp-window.ts";

export { hasTerminal } from "./omp-window.ts";

/** The rig's Claude Code as a person has it: in a real terminal, past the questions of a first start, with no permission asked for. */
export async function openClaudeWindow(rig: ClaudeRig, flags: readonly string[] = []): Promise<TerminalWindow> {
  const { world, work } = rig;
  const key = world.environment["ANTHROPIC_API_KEY"] ?? "";
  const known = {
    hasCompletedOnboarding: true,
    theme: "dark",
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [realpathSync(work)]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  // Claude Code keeps these in its own folder once CLAUDE_CONFIG_DIR names one, else beside it.
  writeFileSync(join(world.root, ".claude.json"), JSON.stringify(known));
  const window = await openWindow([rig.claude, "--dangerously-skip-permissions", ...flags], {
    cwd: work,
    environment: { ...world.environment, TMPDIR: join(world.root, "tmp") },
  });
  await window.until(/^\s*❯/m, "Claude Code's prompt");
  return window;
}

/** Keeps what the screen shows now as a test report (TAMA_TEST_REPORTS, else a temporary folder that is named once), and gives it. */
export async function keepScreen(window: TerminalWindow, moment: string, agent = "claude-code"): Promise<string> {
  const shown = await window.screen();
  writeFileSync(join(reports(), `${agent} ${moment}.screen.txt`), shown);
  return shown;
}

let folder: string | null = null;

function reports(): string {
  if (folder !== null) return folder;
  const named = process.env["TAMA_TEST_REPORTS"];
  folder = named ?? mkdtempSync(join(tmpdir(), "tama-reports-"));
  mkdirSync(folder, { recursive: true });
  if (named === undefined) console.error(`the screens are kept in ${folder}`);
  return folder;
}
