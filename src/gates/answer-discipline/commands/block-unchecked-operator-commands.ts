import { printable } from "../../../base/printable.ts";
import type { Refusal } from "../../../base/verdict.ts";
import { knownCommands, type SimpleCommand, simpleCommands } from "../../../shell/simple-commands.ts";
import type { Asked, Gate, RanLinesFact } from "../../gate.ts";
import { type HandedCommand, handedCommands, PLACEHOLDER } from "../../handed-commands.ts";
import { type TranscriptOwner, unreadableSentence, wayPastUnreadable } from "../../unreadable-transcript.ts";

/**
 * A command handed over is one already run (spec: conduct gates): each command in a shell fence of the answer must be one this session ran
 * itself, compared word by word from where the command proper starts. One that ran and failed counts: its refusal was met by the agent.
 */
export const blockUncheckedOperatorCommands: Gate = {
  id: "block-unchecked-operator-commands",
  needs: ["ranLines", "shells"],
  decide,
  wording: ({ what, why, instead }) => `BLOCKED: block-unchecked-operator-commands: ${what}\n\n${why} ${instead}`,
};

function decide({ event, facts }: Asked): Refusal | null {
  if (event.event !== "stop") return null;
  const handed = handedCommands(event.payload.answer, facts.shells ?? []);
  if (handed.length === 0) return null;
  const ran = facts.ranLines?.() ?? { kind: "none", named: false };
  const cause = whyUntold(ran);
  if (cause !== null) return untold(cause, ran, event.payload);
  const known = ranCommands(ran.kind === "read" ? ran.lines : []);
  const unchecked = [...new Set(handed.filter((one) => !wasRun(one, known)).map((one) => printable(one.shown)))];
  if (unchecked.length === 0) return null;
  return {
    what: `this answer hands over commands this session never ran itself:\n${unchecked.map((line) => `  ${line}`).join("\n")}`,
    why: "The first refusal a command meets is the agent's to meet, not the reader's.",
    instead:
      "Run each of them in this session first, then end anew with what they answered, in other words. Hand over only a command whose refusal needs the reader, quoted with that refusal. What is to be read and not run belongs in a fence of another language, or inline, once a look not made yet has shown that it is right.",
    evidence: unchecked.join("\n"),
  };
}

function whyUntold(ran: RanLinesFact): string | null {
  if (ran.kind === "unreadable")
    return unreadableSentence(ran, "whether this session ran what its answer hands over cannot be told");
  if (ran.kind === "none" && !ran.named)
    return "this harness names no transcript of the session, so whether it ran what its answer hands over cannot be told";
  return null;
}

function untold(cause: string, ran: RanLinesFact, owner: TranscriptOwner): Refusal {
  const instead =
    ran.kind === "unreadable" ? wayPastUnreadable(ran, owner) : "Answer without commands in a shell fence.";
  return { what: `${cause}.`, why: "A command nobody is known to have run is not handed over.", instead };
}

interface Known {
  readonly byProgram: ReadonlyMap<string, readonly SimpleCommand[]>;
  readonly lines: ReadonlySet<string>;
}

interface Growing extends Known {
  readonly byProgram: Map<string, SimpleCommand[]>;
  readonly lines: Set<string>;
  /** How many lines these are of. */
  taken: number;
}

/** A replay asks at each ending about all lines before, in a list that only grows; live there is one ending a process. */
const knownOf = new WeakMap<readonly string[], Growing>();

function ranCommands(lines: readonly string[]): Known {
  const ran = knownOf.get(lines) ?? { byProgram: new Map(), lines: new Set(), taken: 0 };
  knownOf.set(lines, ran);
  for (const line of lines.slice(ran.taken)) {
    ran.lines.add(spaced(line));
    for (const command of commandsRun(line)) {
      const same = ran.byProgram.get(command.program);
      if (same === undefined) ran.byProgram.set(command.program, [command]);
      else same.push(command);
    }
  }
  ran.taken = lines.length;
  return ran;
}

/** As the line is written, and with the values that it gives its own variables. */
function commandsRun(line: string): readonly SimpleCommand[] {
  const written = simpleCommands(line);
  const known = knownCommands(line, new Map());
  return written === null || written === known ? known : [...written, ...known];
}

function wasRun(handed: HandedCommand, known: Known): boolean {
  if (known.lines.has(spaced(handed.shown))) return true;
  const { words, targets, known: full } = handed;
  if (words === null) return false;
  return (full.length > 0 && full.every((one) => wereRun(one, targets, known))) || wereRun(words, targets, known);
}

function wereRun(words: readonly string[], targets: readonly string[], known: Known): boolean {
  const program = words[0] ?? "";
  const candidates = program.includes(PLACEHOLDER)
    ? [...known.byProgram.values()].flat()
    : (known.byProgram.get(program) ?? []);
  return candidates.some(
    (one) =>
      one.words.length === words.length &&
      words.every((word, at) => fits(word, one.words[at] ?? "")) &&
      targets.every((target) => one.targets.some((written) => fits(target, written))),
  );
}

/** A placeholder within a word stands for anything but nothing. */
function fits(word: string, ran: string): boolean {
  if (!word.includes(PLACEHOLDER)) return word === ran;
  const parts = word.split(PLACEHOLDER).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]+")}$`).test(ran);
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
