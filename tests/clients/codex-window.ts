import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { clients } from "./agent-rig.ts";
import { keepScreen } from "./claude-window.ts";
import type { CodexRig } from "./codex-rig.ts";
import { openWindow, type TerminalWindow } from "./omp-window.ts";

/** The rig's Codex as a person has it: in a real terminal, in a folder they trust, and not asked about a newer model. */
export async function openCodexWindow(rig: CodexRig): Promise<TerminalWindow> {
  appendFileSync(rig.config, '\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n');
  const trusted = `projects={${JSON.stringify(rig.work)}={trust_level="trusted"}}`;
  const window = await openWindow([clients().codex, "-c", trusted], {
    cwd: rig.work,
    environment: { ...rig.world.environment, TMPDIR: join(rig.world.root, "tmp") },
  });
  return { ...window, keep: (moment) => keepScreen(window, moment, "codex") };
}
