import { join } from "node:path";
import { clients } from "./agent-rig.ts";
import { keepScreen } from "./claude-window.ts";
import type { GeminiRig } from "./gemini-rig.ts";
import { openWindow, type TerminalWindow } from "./omp-window.ts";

/** The rig's Gemini CLI as a person has it: in a real terminal, with no permission asked for. */
export async function openGeminiWindow({ world, work }: GeminiRig): Promise<TerminalWindow> {
  const words = [join(clients().binFolder, "gemini"), "--approval-mode", "yolo", "-m", "gemini-2.5-pro"];
  const environment = { ...world.environment, TMPDIR: join(world.root, "tmp") };
  const window = await openWindow(words, { cwd: work, environment });
  await window.until("Type your message");
  return { ...window, keep: (moment) => keepScreen(window, moment, "gemini") };
}
