import { writeAll } from "../base/descriptors.ts";
import { firstLine, printable } from "../base/printable.ts";
import { parseCallId } from "../calls/identity.ts";
import { parseDuration } from "../wait/duration.ts";
import { type Look, type WaitEnd, wait } from "../wait/wait.ts";
import type { Command, Context, Given } from "./command.ts";
import { openProgressLine } from "./progress-line.ts";

export const command: Command = {
  usage: "wait [--session <id>] [--after <call>] [--for <time>] [--every <time>] -- COMMAND …",
  about: [
    "Runs COMMAND quietly until its answer (stdout, stderr and exit code) is a new one, prints that answer once and ends with its exit code.",
    "New is what differs from the answer that CALL got, or that this session's same wait last saw; where neither is known, and without",
    "--session, from COMMAND's first run. Several words are a program and its words; one word with spaces in it is a line for /bin/sh.",
    "It ends with the session, with Ctrl-C, and after --for with `no change yet, send again`; nothing it started stays.",
  ].join("\n"),
  example: "tama wait --for 2m -- gh run view 4711 --json status",
  args: {
    session: { type: "string", valueHint: "id", description: "the session that waits" },
    agent: { type: "string", valueHint: "id", description: "a subagent of it, whose calls are its own" },
    after: {
      type: "string",
      valueHint: "call",
      description: "the call whose answer is known, as the refusal names it",
    },
    for: { type: "string", valueHint: "time", description: "give up after this long (10s, 2m, 1h)" },
    every: {
      type: "string",
      valueHint: "time",
      description: "a fixed pause between runs (default: growing, 1s to 15s)",
    },
  },
  takesCommand: true,
  run: async (context, given) => {
    const problem = whatIsWrong(given);
    if (problem !== null) {
      context.err(`tama wait: ${problem}\nusage: tama ${command.usage}\n`);
      return 2;
    }
    const session = given.text("session");
    const progress = openProgressLine(context);
    const end = await wait({
      home: context.home,
      waiter: session === undefined ? null : { session, agentId: given.text("agent") ?? null },
      after: given.text("after") ?? null,
      command: given.command,
      cwd: context.cwd,
      environment: context.environment,
      clock: context.clock,
      forMs: durationOf(given, "for"),
      everyMs: durationOf(given, "every"),
      stopped: context.stopped,
      note: (line) => context.err(`wait: ${printable(line)}\n`),
      onLook: (look) => progress.show(unchanged(look)),
    });
    progress.clear();
    return answer(context, end);
  },
};

function whatIsWrong(given: Given): string | null {
  const [program] = given.command;
  if (program === undefined || program.trim() === "") return "the command stands behind --";
  if (program.startsWith("-")) return `there is no program ${program}`;
  for (const name of ["session", "agent"]) if (given.text(name) === "") return `--${name} is empty`;
  const after = given.text("after");
  if (after !== undefined && parseCallId(after) === null) return `--after takes a call's 16 hex digits, not ${after}`;
  if (given.text("session") === undefined && (after ?? given.text("agent")) !== undefined)
    return "--session is missing";
  for (const name of ["for", "every"]) {
    const text = given.text(name);
    if (text !== undefined && parseDuration(text) === null)
      return `--${name} takes a time such as 10s, 2m or 1h, not ${text}`;
  }
  return null;
}

function durationOf(given: Given, name: string): number | null {
  return parseDuration(given.text(name) ?? "");
}

function answer(context: Context, end: WaitEnd): number {
  switch (end.kind) {
    case "changed":
      writeAll(1, end.answer.stdout);
      writeAll(2, end.answer.stderr);
      return end.answer.code;
    case "time is over":
      context.out("no change yet, send again\n");
      return 0;
    case "signal":
      return signalCodes[end.signal] ?? 1;
    case "owner is gone":
      context.err("wait: whoever waited is gone\n");
      return 1;
    case "failed":
      context.err(`wait: ${end.cause}\n`);
      return 1;
  }
}

/** As a shell counts a death by signal. */
const signalCodes: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** What is said while nothing changes. */
function unchanged({ count, elapsedMs, answer }: Look): string {
  const said = printable(firstLine(answer.stdout.toString()) || firstLine(answer.stderr.toString()));
  return `no change after ${count} run${count === 1 ? "" : "s"} in ${Math.round(elapsedMs / 1000)}s: ${said.slice(0, saidChars)}`;
}

const saidChars = 200;
