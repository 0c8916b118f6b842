import { sayOnStderr } from "../../base/descriptors.ts";
import { maskSecrets } from "../../base/mask.ts";
import { firstLine } from "../../base/printable.ts";
import { readLog } from "../../core/log-reading.ts";
import type { Home } from "../../disk/home.ts";

/**
 * Whether a prompt is the reason of the ending that was refused just now: Gemini sends it as a prompt of its own and marks it with nothing
 * (measured). The session's log says what the last event was: a refused ending, and its words stand in the prompt. Other hooks' reasons may
 * stand beside them. A fault that never reached the log is known by its own first words.
 */
export function isContinuation(home: Home, session: string, prompt: string): boolean {
  if (prompt.startsWith("TAMA_HOOK_INFRASTRUCTURE: tama: ")) return true;
  const log = readLog(home.sessionLog(session, null));
  if (!log.ok) sayOnStderr(`tama: ${log.cause}`);
  const last = log.ok ? log.value.at(-1) : undefined;
  if (last?.event !== "stop" || (last.verdict !== "refuse" && last.verdict !== "infrastructure")) return false;
  const said = firstLine(last.reason ?? last.what ?? "").slice(0, comparedMax);
  return said !== "" && maskSecrets(prompt).includes(said);
}

const comparedMax = 500;
