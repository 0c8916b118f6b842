import { plainCommand } from "./plain-command.ts";
import { programBasename } from "./wrappers.ts";

const VERBS: ReadonlySet<string> = new Set(["confess", "status"]);

/**
 * True for the only two shell lines a session in purgatory may run: `oko purgatory confess|status --session S [--json]`,
 * each one plain command naming this very session (spec: conduct gates, "Purgatory"). `configured` is the Oko program as
 * it is configured (TAMA_OKO), which need not be called oko.
 */
export function admittedInPurgatory(line: string, session: string, configured?: string): boolean {
  // Every call is asked, and hardly one is such a line.
  const words = session !== "" && line.includes("purgatory") ? plainCommand(line) : null;
  if (words === null) return false;
  const [program = "", area, verb = "", ...options] = words;
  if (program !== configured && programBasename(program) !== "oko") return false;
  return area === "purgatory" && VERBS.has(verb) && namesSession(options, session);
}

function namesSession(options: readonly string[], session: string): boolean {
  let named = 0;
  for (let at = 0; at < options.length; at++) {
    const option = options[at];
    if (option === "--json") continue;
    if (option === `--session=${session}`) named++;
    else if (option === "--session" && options[at + 1] === session) {
      named++;
      at++;
    } else return false;
  }
  return named === 1;
}
