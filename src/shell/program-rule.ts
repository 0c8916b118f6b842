/** How the table of programs (programs.ts) is written and read. */
import type { Effect } from "./effect-kind.ts";
import { type OperandScript, operandScriptEffect } from "./operand-scripts.ts";
import { isLiteral, NOT_LITERAL } from "./shell-words.ts";

export type Rule = Effect | ProgramRule;

/** Lists are words with a space between them, as they are typed. */
export interface ProgramRule {
  /** The effect when nothing below speaks. */
  readonly otherwise: Effect;
  /** The effect by the number of operands; the last one holds for more. */
  readonly operands?: readonly Effect[];
  /** Options that decide. Of several, the one with the most effect does. */
  readonly changes?: string;
  readonly unknown?: string;
  readonly reads?: string;
  /** Options that take the next word as their value, so that it is no operand. */
  readonly valued?: string;
  /** Options whose value decides; "*" is any other value. They are valued without being named again. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, Effect>>>>;
  /** With the first options, the second count for nothing (`curl -G` sends data in the address). */
  readonly cancels?: readonly [string, string];
  /** Options whose value, if any, stands in the same word (`-psecret`, `-Iseconds`). */
  readonly attached?: string;
  /** Options that only look when they are the one word of the call (`node -v`). */
  readonly alone?: string;
  /** Options count only before the first operand; behind it they belong to what is run. */
  readonly optionsFirst?: boolean;
  /** Options are whole words behind one dash (`-json`), never letters put together. */
  readonly wholeOptions?: boolean;
  /** The first operand names a command with a rule of its own; a key may end in "*". Without a match: `otherwise`. */
  readonly sub?: Readonly<Record<string, Rule>>;
  /** After so many operands the words are a command of their own, and its effect is this one's. */
  readonly runs?: number;
  /** What is read in the operands themselves. */
  readonly script?: OperandScript;
}

export interface ReadWords {
  readonly options: readonly { readonly name: string; readonly value: string | null }[];
  readonly operands: readonly string[];
  /** Where the operands stand among the words. */
  readonly places: readonly number[];
}

/** The effect of `words` (program or subcommand first) by its rule; `effectOf` judges the command of a rule that runs one. */
export function ruleEffect(
  words: readonly string[],
  rule: Rule,
  effectOf: (words: readonly string[]) => Effect,
): Effect {
  if (typeof rule === "string") return rule;
  if (words.length === 2 && listsOf(rule).alone.has(words[1] ?? "")) return "reads";
  const front = readWords(words, rule, stopsAt(rule));
  const decided = optionEffect(front, rule);
  const place = front.places[0];
  if (rule.sub !== undefined && decided === null) {
    if (place === undefined) return rule.operands?.[0] ?? rule.otherwise;
    if (!isLiteral(words[place] ?? "")) return "unknown";
    const next = subRule(rule.sub, words[place] ?? "");
    if (next !== null) return ruleEffect(words.slice(place), next, effectOf);
  }
  if (rule.runs !== undefined && decided === null) {
    const start = front.places[rule.runs];
    return start === undefined ? rule.otherwise : effectOf(words.slice(start));
  }
  const read = rule.sub === undefined ? front : readWords(words, rule, Number.POSITIVE_INFINITY);
  const scripted = rule.script === undefined ? null : operandScriptEffect(rule.script, read);
  return strongest([optionEffect(read, rule), scripted]) ?? byOperands(read.operands.length, rule);
}

/** Of several effects the one that can change the most; null of none. */
export function strongest(effects: readonly (Effect | null)[]): Effect | null {
  for (const effect of ["changes", "unknown", "waits", "reads"] as const) if (effects.includes(effect)) return effect;
  return null;
}

function byOperands(count: number, rule: ProgramRule): Effect {
  const list = rule.operands;
  if (list === undefined || (rule.sub !== undefined && count >= list.length)) return rule.otherwise;
  return list[Math.min(count, list.length - 1)] ?? rule.otherwise;
}

/** How many operands are read: options behind a subcommand, or behind the command that is run, are not this rule's. */
function stopsAt(rule: ProgramRule): number {
  if (rule.sub !== undefined || rule.optionsFirst === true) return 1;
  return rule.runs === undefined ? Number.POSITIVE_INFINITY : rule.runs + 1;
}

function subRule(sub: Readonly<Record<string, Rule>>, word: string): Rule | null {
  const found = subRulesOf(sub).find(({ name, begins }) => (begins ? word.startsWith(name) : word === name));
  return found?.rule ?? null;
}

interface SubRule {
  readonly name: string;
  /** The key ended in "*". */
  readonly begins: boolean;
  readonly rule: Rule;
}

const subRules = new WeakMap<NonNullable<ProgramRule["sub"]>, readonly SubRule[]>();

/** A key's names one by one, taken apart when a rule is first asked, as its lists are. */
function subRulesOf(sub: NonNullable<ProgramRule["sub"]>): readonly SubRule[] {
  const made =
    subRules.get(sub) ??
    Object.entries(sub).flatMap(([names, rule]) =>
      names.split(" ").map((name) => {
        const begins = name.endsWith("*");
        return { name: begins ? name.slice(0, -1) : name, begins, rule };
      }),
    );
  subRules.set(sub, made);
  return made;
}

function optionEffect(read: ReadWords, rule: ProgramRule): Effect | null {
  const { named, cancelling, cancelled } = listsOf(rule);
  const dropped = read.options.some((option) => cancelling.has(option.name)) ? cancelled : undefined;
  const effects: (Effect | null)[] = [];
  for (const option of read.options) {
    if (dropped?.has(option.name)) continue;
    for (const effect of ["changes", "unknown", "reads"] as const)
      if (named[effect].has(option.name)) effects.push(effect);
    effects.push(valueEffect(option.name, option.value, rule));
  }
  return strongest(effects);
}

function valueEffect(name: string, value: string | null, rule: ProgramRule): Effect | null {
  if (rule.values === undefined) return null;
  for (const [names, byValue] of Object.entries(rule.values)) {
    if (!names.split(" ").includes(name)) continue;
    const known = value !== null && Object.hasOwn(byValue, value) ? byValue[value] : undefined;
    return known ?? byValue["*"] ?? null;
  }
  return null;
}

/** Options and operands of the words behind the first, up to so many operands. */
function readWords(words: readonly string[], rule: ProgramRule, stopAt: number): ReadWords {
  const { valued, known, attached } = listsOf(rule);
  const options: { name: string; value: string | null }[] = [];
  const places: number[] = [];
  let onlyOperands = false;
  for (let at = 1; at < words.length && places.length < stopAt; at++) {
    const word = words[at] ?? "";
    if (onlyOperands || word === "-" || !word.startsWith("-")) places.push(at);
    else if (word === "--") onlyOperands = true;
    else {
      for (const option of optionsOf(word, { whole: rule.wholeOptions === true, known, valued, attached })) {
        const takesNext = option.value === null && valued.has(option.name);
        options.push(takesNext ? { name: option.name, value: words[at + 1] ?? "" } : option);
        if (takesNext) at++;
      }
    }
  }
  return { options, places, operands: places.map((place) => words[place] ?? "") };
}

interface OptionNames {
  readonly whole: boolean;
  readonly known: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  readonly attached: ReadonlySet<string>;
}

function optionsOf(word: string, names: OptionNames): readonly { name: string; value: string | null }[] {
  const equals = word.indexOf("=");
  const name = equals === -1 ? word : word.slice(0, equals);
  if (word.startsWith("--") || names.whole || names.known.has(name)) {
    return [{ name, value: equals === -1 ? null : word.slice(equals + 1) }];
  }
  const letters: { name: string; value: string | null }[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = `-${word[at]}`;
    if (word[at] === NOT_LITERAL) break;
    const rest = at + 1 < word.length ? word.slice(at + 1) : null;
    const takesRest = names.valued.has(letter) || names.attached.has(letter);
    letters.push({ name: letter, value: takesRest ? rest : null });
    if (takesRest) break;
  }
  return letters;
}

/** A rule's lists as sets. The table is written once and read for every command, so they are made when a rule is first asked. */
interface Lists {
  readonly named: Readonly<Record<"changes" | "unknown" | "reads", ReadonlySet<string>>>;
  readonly cancelling: ReadonlySet<string>;
  readonly cancelled: ReadonlySet<string>;
  readonly alone: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  readonly attached: ReadonlySet<string>;
  /** Options that are known as whole words. */
  readonly known: ReadonlySet<string>;
}

const lists = new WeakMap<ProgramRule, Lists>();

function listsOf(rule: ProgramRule): Lists {
  const before = lists.get(rule);
  if (before !== undefined) return before;
  const named = { changes: setOf(rule.changes), unknown: setOf(rule.unknown), reads: setOf(rule.reads) };
  const valued = setOf([rule.valued ?? "", ...Object.keys(rule.values ?? {})].join(" "));
  const made = {
    named,
    cancelling: setOf(rule.cancels?.[0]),
    cancelled: setOf(rule.cancels?.[1]),
    alone: setOf(rule.alone),
    valued,
    attached: setOf(rule.attached),
    known: new Set([...valued, ...named.changes, ...named.unknown, ...named.reads]),
  };
  lists.set(rule, made);
  return made;
}

function setOf(list: string | undefined): ReadonlySet<string> {
  return new Set((list ?? "").split(" ").filter((word) => word !== ""));
}
