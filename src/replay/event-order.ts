import { callEffect } from "../calls/call-effect.ts";
import { toolKind } from "../calls/kind.ts";
import type { AnswerEntry, Entry, FormatName, ResultEntry, TranscriptCall } from "../transcript/entry.ts";

/**
 * The order in which a harness asked its hooks, which is not always the order of its file: Claude Code writes all calls of a message, runs
 * those that may change something one after another, and asks about a call only when its turn comes; so a call is asked behind the
 * result of such a sibling before it. A result that came all the same tells that this version ran them together.
 *
 * Codex's file names no message in older versions: the calls between two results are one answer's.
 */
export interface EventOrder {
  /** What now comes, in order, with this entry or without it. */
  readonly take: (entry: Entry) => readonly Entry[];
  /** What was still held back. */
  readonly end: () => readonly Entry[];
}

export function openEventOrder(format: FormatName): EventOrder {
  if (format === "claude-code") return oneAfterAnother();
  return format === "codex" ? withMessages() : { take: (entry) => [entry], end: () => [] };
}

function oneAfterAnother(): EventOrder {
  let message: string | null = null;
  const running = new Set<string>();
  const held: AnswerEntry[] = [];
  const all = (): readonly Entry[] => {
    running.clear();
    return held.splice(0);
  };
  const started = (entry: AnswerEntry): AnswerEntry => {
    for (const call of entry.calls) if (runsAlone(call)) running.add(call.id);
    return entry;
  };
  const next = (): readonly Entry[] => {
    const free: Entry[] = [];
    for (let one = held[0]; one !== undefined && running.size === 0; one = held[0]) {
      held.shift();
      free.push(started(one));
    }
    return free;
  };
  const answered = (entry: ResultEntry): readonly Entry[] => {
    if (held.some(({ calls }) => calls.some(({ id }) => id === entry.call))) return [...all(), entry];
    return running.delete(entry.call) ? [entry, ...next()] : [entry];
  };
  const said = (entry: AnswerEntry): readonly Entry[] => {
    const before = entry.message === null || entry.message !== message ? all() : [];
    message = entry.message;
    if (running.size === 0) return [...before, started(entry)];
    held.push(entry);
    return before;
  };
  const take = (entry: Entry): readonly Entry[] => {
    if (entry.kind === "answer") return said(entry);
    if (entry.kind === "result") return answered(entry);
    return [...all(), entry];
  };
  return { take, end: all };
}

/** Claude Code lets looks run together, and nothing beside a shell's or a file's change. */
function runsAlone({ tool, input }: TranscriptCall): boolean {
  const kind = toolKind("claude-code", tool);
  if (kind === "write") return true;
  if (kind !== "shell") return false;
  const effect = callEffect({ harness: "claude-code", tool, input });
  return effect === "changes" || effect === "unknown";
}

function withMessages(): EventOrder {
  let answer = 0;
  let goesOn = false;
  const take = (entry: Entry): readonly Entry[] => {
    if (entry.kind !== "answer") {
      goesOn = false;
      return [entry];
    }
    if (!goesOn) answer++;
    goesOn = true;
    return [entry.calls.length === 0 ? entry : { ...entry, message: `answer ${answer}` }];
  };
  return { take, end: () => [] };
}
