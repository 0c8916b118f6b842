import { isatty } from "node:tty";
import { field, isFields } from "./fields.ts";
import type { Context, Host } from "./host.ts";

// OMP's settings can be overridden for this process, without a trace on disk. That is no documented interface, so
// nothing here may fail, and what is built on it looks first whether it holds.

const longest = 2 ** 31 - 1;
const clock = "extensionHandlers.toolCallTimeoutMs";

/** Lifts OMP's clock over a tool call's handlers, which would refuse a call whose hooks need longer than 30 s. */
export function liftTheClock(pi: Host): void {
  override(pi, clock, longest);
}

export function canWaitLong(pi: Host): boolean {
  return setting(pi, clock) === longest;
}

/**
 * `omp -p` ends with the model's last words, whatever still runs in the background, and skips the ending's gates then. So nothing goes
 * to the background there: told to OMP before its tools are made, where the command line shows it, and again when the session starts.
 */
export function stayInTheForeground(pi: Host): void {
  for (const path of ["async.enabled", "bash.autoBackground.enabled", "eval.autoBackground.enabled"])
    override(pi, path, false);
}

/** OMP prints and ends when it is told to, and when its input comes from no terminal; RPC and ACP are modes of their own. */
export function startedToPrint(words: readonly string[], inputIsTerminal = isatty(0)): boolean {
  const at = words.indexOf("--mode");
  const mode = words.find((word) => word.startsWith("--mode="))?.slice(7) ?? (at === -1 ? null : (words[at + 1] ?? ""));
  if (words.includes("-p") || words.includes("--print")) return true;
  return mode === null ? !inputIsTerminal : mode === "json" || mode === "text";
}

export function printsAndEnds(context: Context): boolean {
  return context.mode === "print" || context.mode === "json";
}

/** OMP's answer for an admitted call: nothing, or the same call in the foreground. */
export function allowance(context: Context, event: unknown): object | undefined {
  const input = field(event, "input");
  if (!printsAndEnds(context) || !isFields(input) || input["async"] !== true) return undefined;
  return { input: { ...input, async: false } };
}

function override(pi: Host, path: string, value: unknown): void {
  try {
    const settings = settingsOf(pi);
    const set = settings === null ? undefined : Reflect.get(settings, "override");
    if (typeof set === "function") Reflect.apply(set, settings, [path, value]);
  } catch {
    // OMP keeps its own.
  }
}

function setting(pi: Host, path: string): unknown {
  try {
    const settings = settingsOf(pi);
    const get = settings === null ? undefined : Reflect.get(settings, "get");
    return typeof get === "function" ? Reflect.apply(get, settings, [path]) : undefined;
  } catch {
    return undefined;
  }
}

function settingsOf(pi: Host): object | null {
  const module = pi.pi;
  if (typeof module !== "object" || module === null) return null;
  const settings: unknown = Reflect.get(module, "settings");
  return typeof settings === "object" && settings !== null ? settings : null;
}
