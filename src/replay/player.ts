import type { Clock } from "../base/clock.ts";
import { type Call, describeCall } from "../core/repeat/call.ts";
import { openRepeatGate, type RepeatGate } from "../core/repeat/gate.ts";
import type { RepeatRecords } from "../core/repeat/store.ts";
import type { ProtectedPlaces } from "../gates/gate.ts";
import type { AnswerEntry, Entry, FormatName, HarnessEntry, ResultEntry, TranscriptCall } from "../transcript/entry.ts";
import { ledgerFold, lookAsked } from "../transcript/ledger.ts";
import { meaningOf } from "../transcript/open-calls.ts";
import { ranLinesFold } from "../transcript/ran-lines.ts";
import { tellsOfChange } from "../transcript/told-change.ts";
import type { HookEvent, Payload } from "../words/event.ts";
import type { KeptCall } from "../words/kept-calls.ts";
import { type GateSaid, openGates } from "./ask-gates.ts";
import { type Ending, endingAfter } from "./ending.ts";
import type { GatesAsked } from "./gates-asked.ts";
import { type LookKind, lookKind, sleeps } from "./look-kind.ts";
import { type NewestMessage, newestAfter } from "./newest-message.ts";
import type { PlaceOfRefusal, Refused, SessionReplay } from "./session-replay.ts";
import { shownCall } from "./shown.ts";
import { answeredRefusal, isOfLooks, refusedEnding, type Waiting, waitingGate, waitingRepeat } from "./waiting.ts";

/**
 * Plays a transcript's entries as the events they were, in their order, through the very repeat rule and the very gates that run live:
 * the rule on records in memory, the gates on the facts that the transcript showed at that moment. A refused call ran in the transcript
 * all the same; it is let through here too, so each refusal is judged by itself and by what its call then got.
 */
export interface Player {
  readonly take: (entry: Entry) => Promise<void> | undefined;
  readonly end: () => Played;
}

export type Played = Pick<SessionReplay, "calls" | "endings" | "from" | "to" | "strip" | "refusals">;

export interface PlayerSetting {
  readonly path: string;
  readonly session: string;
  readonly format: FormatName;
  /** Where a call ran that does not say so itself. */
  readonly folder: string | null;
  readonly gates: GatesAsked;
  readonly places: (event: HookEvent) => ProtectedPlaces;
  readonly shells: readonly string[];
  readonly records: RepeatRecords;
  /** When another agent of the session last changed anything, as far as that is read; and what reads it, saying whether there is any. */
  readonly changedBeside: () => string | null;
  readonly readBeside: () => Promise<boolean>;
}

interface OpenCall {
  readonly call: Call;
  readonly waiting: readonly Waiting[];
}

interface State {
  readonly setting: PlayerSetting;
  readonly askGates: ReturnType<typeof openGates>;
  readonly repeat: RepeatGate;
  readonly ledger: ReturnType<typeof ledgerFold.empty>;
  readonly ran: ReturnType<typeof ranLinesFold.empty>;
  readonly open: Map<string, OpenCall>;
  /** Results that stand before their own call: Claude Code writes what its own check refused first. */
  readonly early: Map<string, ResultEntry>;
  readonly refusals: Refused[];
  newest: NewestMessage | null;
  ending: Ending | null;
  /** The byte of the last call that slept; -1 = none did. */
  sleptAt: number;
  /** When the harness last told of a change that was none of the session's own. A person's words are an event. */
  told: string | null;
  calls: number;
  endings: number;
  from: string | null;
  to: string | null;
  strip: string;
}

const owner = (state: State) => ({ session: state.setting.session, agentId: null });
const catalog = { id: "replay", hooks: [] };

export function openPlayer(setting: PlayerSetting): Player {
  const clock: Clock = { iso: () => state.to ?? "", ticks: () => 0, sleep: () => Promise.resolve() };
  const toldSince = ({ at }: KeptCall): boolean => Date.parse(state.told ?? "") > Date.parse(at);
  const shown = { ledger: ledgerFold.empty(), ran: ranLinesFold.empty() };
  const state: State = {
    setting,
    ...shown,
    askGates: openGates(setting, shown),
    repeat: openRepeatGate({ records: setting.records, clock, harness: setting.format, toldSince }),
    open: new Map(),
    early: new Map(),
    refusals: [],
    newest: null,
    ending: null,
    sleptAt: -1,
    told: null,
    calls: 0,
    endings: 0,
    from: null,
    to: null,
    strip: "",
  };
  return {
    take: (entry) => take(state, entry),
    end: () => {
      endTurn(state, false);
      for (const { waiting } of state.open.values()) settleWaiting(state, waiting, null, "");
      const { calls, endings, from, to, strip, refusals } = state;
      return { calls, endings, from, to, strip, refusals: refusals.sort((one, other) => one.index - other.index) };
    },
  };
}

/** Undefined where nothing is left to wait for, as after most entries. */
function take(state: State, entry: Entry): Promise<void> | undefined {
  state.from ??= entry.time;
  state.to = entry.time ?? state.to;
  if (entry.kind !== "answer") state.newest = null;
  switch (entry.kind) {
    case "person":
      return takePerson(state, entry);
    case "harness":
      return takeHarness(state, entry);
    case "answer":
      return takeAnswer(state, entry);
    case "result":
      return takeResult(state, entry);
  }
}

async function takePerson(state: State, entry: Entry): Promise<void> {
  endTurn(state, false);
  fold(state, entry);
  if (state.setting.gates.repeat) await state.repeat.personWrote(owner(state));
  state.strip += "|";
}

function takeHarness(state: State, entry: HarnessEntry): Promise<void> | undefined {
  if (entry.about === "refused-stop" || entry.about === "notice") endTurn(state, entry.about === "refused-stop");
  if (entry.text.startsWith("[Request interrupted")) state.ending = null;
  if (tellsOfChange(entry)) state.told = entry.time ?? state.told;
  fold(state, entry);
  return entry.about === "compaction" ? state.repeat.compacted(owner(state)) : undefined;
}

function fold(state: State, entry: Entry): void {
  ledgerFold.take(state.ledger, entry, state.setting.format);
  if (state.setting.gates.onEndings.length > 0) ranLinesFold.take(state.ran, entry, state.setting.format);
}

function takeAnswer(state: State, entry: AnswerEntry): Promise<void> | undefined {
  const { newest, replaced } = newestAfter(state.newest, entry, state.setting.format);
  state.newest = newest;
  if (entry.calls.length > 0 || replaced.length > 0) return takeCalls(state, entry, replaced);
  fold(state, entry);
  keepEnding(state, entry);
  return undefined;
}

async function takeCalls(state: State, entry: AnswerEntry, replaced: readonly string[]): Promise<void> {
  for (const id of replaced) {
    const open = state.open.get(id);
    if (open !== undefined) await state.repeat.drop(owner(state), open.call);
  }
  // Claude Code's file holds a call's row when its hook is asked; OMP's and Codex's do not yet.
  const rowsFirst = state.setting.format === "claude-code";
  if (rowsFirst) fold(state, entry);
  for (const call of entry.calls) await ask(state, call, entry);
  if (!rowsFirst) fold(state, entry);
  keepEnding(state, entry);
}

function keepEnding(state: State, entry: AnswerEntry): void {
  if (entry.calls.length > 0) state.ending = null;
  else if (entry.text.trim() !== "" && entry.errorMessage === null) state.ending = endingAfter(state.ending, entry);
}

async function ask(state: State, call: TranscriptCall, entry: Entry): Promise<void> {
  const { setting } = state;
  const message = entry.kind === "answer" ? entry.message : null;
  const cwd = call.directory ?? setting.folder;
  const event: Payload<"tool_call"> = {
    session: setting.session,
    transcript: setting.path,
    tool: call.tool,
    input: call.input,
    call: call.id,
    ...(cwd === null ? {} : { cwd }),
    ...(message === null ? {} : { message }),
  };
  const described: Call = { ...describeCall(setting.format, event), transcript: null };
  const index = state.strip.length;
  // Made only where something is refused: masking each call would cost more than reading it.
  const place = (): PlaceOfRefusal => ({
    index,
    byte: entry.at,
    line: null,
    time: entry.time,
    call: call.id,
    tool: call.tool,
    shown: shownCall(call.input),
  });
  state.calls++;
  state.strip += described.effect.charAt(0);
  const check = setting.gates.repeat ? await state.repeat.check(owner(state), described, catalog) : null;
  const waiting =
    check?.kind === "held"
      ? [waitingRepeat(owner(state), described.id, check, place())]
      : (await askCall(state, event)).map((said) => waitingGate(said, place(), () => kindOf(state, event)));
  if (sleeps(setting.format, call.tool, call.input)) state.sleptAt = entry.at;
  const before = state.open.get(call.id);
  if (before !== undefined) settleWaiting(state, before.waiting, null, "");
  state.open.set(call.id, { call: described, waiting });
  if (setting.gates.repeat) await state.repeat.admit(owner(state), described, entry.time ?? "", false);
  const early = state.early.get(call.id);
  if (early === undefined) return;
  state.early.delete(call.id);
  await settle(state, early);
}

/** Only for a look that would be refused the other agents' files are read, which may lift it. */
function askCall(state: State, payload: Payload<"tool_call">): readonly GateSaid[] | Promise<readonly GateSaid[]> {
  const said = state.askGates({ event: "tool_call", payload });
  return said.some(isOfLooks) ? askBeside(state, payload, said) : said;
}

async function askBeside(
  state: State,
  payload: Payload<"tool_call">,
  said: readonly GateSaid[],
): Promise<readonly GateSaid[]> {
  return (await state.setting.readBeside()) ? state.askGates({ event: "tool_call", payload }) : said;
}

function kindOf({ setting, ledger, sleptAt }: State, event: Payload<"tool_call">): LookKind {
  const before = lookAsked(ledger, setting.format, event);
  return lookKind(setting.format, event.tool, event.input, before !== null && sleptAt > before.at);
}

function takeResult(state: State, entry: ResultEntry): Promise<void> | undefined {
  const isNested = !state.open.has(entry.call) && entry.nested !== null;
  return isNested ? takeNested(state, entry, entry.nested) : answered(state, entry);
}

async function takeNested(state: State, entry: ResultEntry, call: TranscriptCall): Promise<void> {
  await ask(state, call, entry);
  await answered(state, entry);
}

function answered(state: State, entry: ResultEntry): Promise<void> | undefined {
  fold(state, entry);
  if (state.open.has(entry.call)) return settle(state, entry);
  state.early.set(entry.call, entry);
  return undefined;
}

async function settle(state: State, entry: ResultEntry): Promise<void> {
  const open = state.open.get(entry.call);
  if (open === undefined) return;
  state.open.delete(entry.call);
  const { isError, text, details } = entry;
  if (state.setting.gates.repeat) {
    const result = { isError, text, details, at: entry.time ?? "" };
    await state.repeat.settle(owner(state), open.call, result, catalog);
  }
  if (open.waiting.length === 0) return;
  settleWaiting(state, open.waiting, meaningOf(state.setting.format, open.call.tool, entry), text);
}

function settleWaiting(
  state: State,
  waiting: readonly Waiting[],
  meaning: ReturnType<typeof meaningOf> | null,
  text: string,
): void {
  for (const one of waiting) state.refusals.push(answeredRefusal(one, meaning, text));
}

/** A person's message, a refused ending or the end of the file: what was said last was an ending. */
function endTurn(state: State, sentBack: boolean): void {
  const { ending, setting } = state;
  state.ending = null;
  if (ending === null) return;
  state.endings++;
  const index = state.strip.length;
  state.strip += ".";
  const payload = { session: setting.session, transcript: setting.path, answer: ending.text };
  for (const said of state.askGates({ event: "stop", payload }))
    state.refusals.push(refusedEnding(said, ending, index, sentBack));
}
