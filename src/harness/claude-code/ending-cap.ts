import type { LogLine } from "../../words/records.ts";

/**
 * Claude Code ends a turn that was refused this often in a row, and `claude -p` then prints nothing (measured: 8 refusals are honoured, the
 * ninth is not; any tool call between two begins the count anew). CLAUDE_CODE_STOP_HOOK_BLOCK_CAP sets another number, 0 none.
 */
const hostsCap = 8;

export function endingCap(environment: Readonly<Record<string, string | undefined>>): number {
  const said = environment["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"];
  if (said === undefined || !/^\d+$/.test(said)) return hostsCap;
  return said === "0" ? Number.POSITIVE_INFINITY : Number(said);
}

/** How many refused endings stand at the log's end, one after another, with no call, no person's word and no ending between. */
export function refusedInARow(log: readonly LogLine[]): number {
  const from = log.findLastIndex(
    ({ event, verdict }) =>
      event === "input" ||
      event === "tool_call" ||
      (event === "stop" && verdict !== "refuse" && verdict !== "infrastructure"),
  );
  return log.slice(from + 1).filter(({ event }) => event === "stop").length;
}

/** What `tama doctor` says of it. */
export function capNote(cap: number): string {
  const lift = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in Claude Code's environment (or env in its settings)";
  return Number.isFinite(cap)
    ? `after ${cap} refused endings in a row without a tool call between, Claude Code ends a turn all the same; ${lift} sets that number, 0 lifts it`
    : `${lift} is 0: Claude Code never ends a turn that is refused, only Tama's own release and you do`;
}

/** What is to be said before the cap bites: at the last two refusals that are honoured, and past it. Empty before. */
export function capWarning(refused: number, cap: number): string {
  if (refused < cap - 1) return "";
  const lift = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in Claude Code's environment sets this limit, 0 lifts it.";
  return refused > cap
    ? `Claude Code ends this turn although it was refused: it honours ${cap} refusals in a row without a tool call between. ${lift}`
    : `This turn's end was refused ${refused} times in a row without a tool call between; after ${cap} Claude Code ends it all the same, and claude -p prints nothing then. ${lift}`;
}
