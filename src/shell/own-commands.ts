import { type SimpleCommand, simpleCommands } from "./simple-commands.ts";
import { programBasename } from "./wrappers.ts";

const OWN: ReadonlySet<string> = new Set(["oko", "tama"]);
const HOOK_VERBS: ReadonlySet<string> = new Set(["hook", "owned-hook", "run-hook"]);

/** A changed search path or preloaded library makes another program of the same name. */
const CHANGES_PROGRAM = /^(?:PATH|BASH_ENV|ENV|LD_.*|DYLD_.*|BUN_.*|NODE_.*)=/;

/**
 * True for "a shell line made only of commands of the configured Oko CLI or this Tama program" (spec: conduct gates;
 * design: gates over Oko): every simple command's program is one of the two, and no substitution, redirection to a file
 * or background part rides along. `tama hook`, `tama owned-hook` and `tama run-hook` are none; `tama wait -- X` is X.
 * `configured` holds the two programs as they are configured, should they bear other names.
 */
export function onlyOwnCommands(line: string, configured: readonly string[] = []): boolean {
  const commands = simpleCommands(line);
  if (commands === null || commands.length === 0) return false;
  return commands.every((command) => isOwn(command, configured));
}

function isOwn(command: SimpleCommand, configured: readonly string[]): boolean {
  if (command.substituted || command.redirectsToFile || command.background) return false;
  if (command.wrappers.some((wrapper) => wrapper !== "tama" && wrapper !== "command")) return false;
  if (command.assigned.some((assignment) => CHANGES_PROGRAM.test(assignment))) return false;
  if (!configured.includes(command.program) && !OWN.has(programBasename(command.program))) return false;
  return !HOOK_VERBS.has(command.words[1] ?? "");
}
