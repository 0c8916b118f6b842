import { existsSync } from "node:fs";
import { newRefusalId } from "../base/ids.ts";
import { printable } from "../base/printable.ts";
import { causeOf } from "../base/result.ts";
import type { Refusal } from "../base/verdict.ts";
import { toolKind } from "../calls/kind.ts";
import type { Pool } from "../supervision/pool.ts";
import { type HookRun, runHook } from "../supervision/run-hook.ts";
import { type DeclaredHook, reaches } from "../words/declaration.ts";
import type { HookEvent } from "../words/event.ts";
import type { Answer, PassAnswer } from "../words/wire.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import type { CoreSetting, DispatchRequest, RunningDispatch } from "./core.ts";
import { aborted, cancelled, cancelledAnswer, type Decided, faultOf, heldAnswer, orLetGo } from "./decided.ts";
import { logDispatch } from "./dispatch-log.ts";
import { foldVerdicts, reasonOf } from "./fold.ts";
import { returnGrants, withGrants } from "./grants.ts";
import { hookInput } from "./hook-input.ts";
import type { Order } from "./order.ts";
import type { RefusedSends } from "./refused-sends.ts";
import { releaseStop, type StopToRelease } from "./releases/release-stop.ts";
import { type Call, describeCall, keyOf, type Owner, ownerOf } from "./repeat/call.ts";
import type { Check, RepeatGate } from "./repeat/gate.ts";
import type { SessionRecords } from "./session-record.ts";
import { movedAside, registryGone, registryMovedAside, unfitToUse } from "./ways-out.ts";

/** What every dispatch of one core shares. */
export interface Dispatching {
  readonly setting: CoreSetting;
  readonly pool: Pool;
  readonly records: SessionRecords;
  readonly running: Map<object, RunningDispatch>;
  readonly order: Order;
  readonly environment: Readonly<Record<string, string>>;
  readonly repeat: RepeatGate;
  readonly refused: RefusedSends;
}

/**
 * One event's decision (contract 3): the repeat rule, then every hook that the event reaches at once, then the fold, then what is kept.
 * An exception here is a bug; it is caught once, at this border, and refuses like any fault.
 */
export async function dispatchEvent(core: Dispatching, request: DispatchRequest): Promise<Answer> {
  const from = core.setting.clock.ticks();
  const at = core.setting.clock.iso();
  const owner = ownerOf(request.event.payload);
  const decided = await decide(core, request, owner, at).catch(
    (thrown: unknown): Decided =>
      orLetGo(
        request.event,
        faultOf(
          "tama",
          `tama: a bug in Tama: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : causeOf(thrown)}`,
        ),
      ),
  );
  if (owner === null) return decided.answer;
  const { answer, refusal } = decided;
  const ms = Math.round((core.setting.clock.ticks() - from) * 100) / 100;
  const { home, harness } = core.setting;
  logDispatch(home, { harness, owner, dispatch: request.id, event: request.event, answer, at, ms, refusal });
  if (decided.catalog !== null) await core.records.note(owner, request.event, answer, decided.catalog);
  return answer;
}

async function decide(core: Dispatching, request: DispatchRequest, owner: Owner | null, at: string): Promise<Decided> {
  const { event } = request;
  const line = owner === null ? 0 : core.order.nextLine(keyOf(owner));
  const catalog = readCatalog(core.setting.home);
  if (!catalog.ok) {
    await settleEvent(core, event, owner, { id: "", hooks: [], present: false }, at, line);
    const cause = unfitToUse(core.setting.home) ?? `${catalog.cause}${registryMovedAside(core.setting.home.registry)}`;
    return orLetGo(event, faultOf("registry", cause, null));
  }
  const gone = owner === null || catalog.value.present ? null : goneUnder(core, owner);
  // A call takes its place in line before anything is waited for, so that no later line can overtake it.
  if (event.event === "tool_call" && owner !== null && gone === null)
    return await decideCall(core, request, owner, describeCall(core.setting.harness, event.payload), {
      catalog: catalog.value,
      at,
      line,
    });
  await settleEvent(core, event, owner, catalog.value, at, line);
  // The session record must go on naming the hooks that are gone, or its next event would pass.
  if (gone !== null) return orLetGo(event, faultOf("registry", gone, null));
  const { runs, answer } = await hooksOf(core, request, catalog.value);
  const given = owner === null ? answer : await releaseStop(stopToRelease(core, event, owner, answer));
  return { answer: activated(event, given), refusal: given === answer ? partsOf(runs) : null, catalog: catalog.value };
}

function stopToRelease(core: Dispatching, event: HookEvent, owner: Owner, answer: Answer): StopToRelease {
  const { harness, home, clock } = core.setting;
  const { read, canKeep } = core.records;
  return {
    event,
    answer,
    harness,
    clock,
    tamaHome: home.root,
    record: () => read(owner),
    canKeep: () => canKeep(owner),
  };
}

/** What the first hook that judged against the event said apart. */
function partsOf(runs: readonly HookRun[]): Refusal | null {
  for (const { verdict } of runs) if (verdict.kind === "refuse") return verdict.refusal ?? null;
  return null;
}

interface Turn {
  readonly catalog: Catalog;
  readonly at: string;
  readonly line: number;
}

async function decideCall(
  core: Dispatching,
  request: DispatchRequest,
  owner: Owner,
  call: Call,
  turn: Turn,
): Promise<Decided> {
  const key = keyOf(owner);
  const names = [call.id, ...(call.harnessCall === null ? [] : [`call:${call.harnessCall}`])];
  const earlier = core.order.decisionsFor(key, [call.id]);
  let begun = false;
  const checked = core.order.inTurn(key, earlier, async () => {
    begun = true;
    return request.signal.aborted ? null : await core.repeat.check(owner, call, turn.catalog);
  });
  const decision = checked.then(async (check): Promise<Decided> => {
    if (check === null) return cancelledAnswer(request.signal, turn.catalog);
    const decided = await decideChecked(core, request, owner, call, turn, check);
    core.refused.note(key, call, decided.answer);
    return decided;
  });
  core.order.deciding(key, names, decision);
  // A call that still waits for an identical one before it is cancelled at once; one whose hooks run, when they are gone.
  const given = aborted(request.signal).then(() => (begun ? decision : cancelledAnswer(request.signal, turn.catalog)));
  return await Promise.race([decision, given]);
}

async function decideChecked(
  core: Dispatching,
  request: DispatchRequest,
  owner: Owner,
  call: Call,
  turn: Turn,
  check: Check,
): Promise<Decided> {
  if (check.kind === "fault") return faultOf("repeat", repeatCause(check), turn.catalog);
  if (check.kind === "held") return heldAnswer(owner, call, check, turn.catalog);
  const { runs, answer } = await hooksOf(core, request, turn.catalog);
  if (check.account !== undefined && answer.ok && answer.verdict === "pass") {
    const accounted = await core.repeat.account(owner, call, check.account);
    if (!accounted.ok) {
      await returnGrants(core.setting, request);
      return faultOf("repeat", `the repeat gate ${accounted.cause}`, turn.catalog);
    }
  }
  await keepDecision(core, owner, call, turn, runs, answer);
  return { answer, refusal: partsOf(runs), catalog: turn.catalog };
}

/** After the hooks: an admitted call is kept as started, a judged refusal as refused; a cancelled one or a fault leaves nothing. */
async function keepDecision(
  core: Dispatching,
  owner: Owner,
  call: Call,
  turn: Turn,
  runs: readonly HookRun[],
  answer: Answer,
): Promise<void> {
  if (!answer.ok) return;
  const key = keyOf(owner);
  const changed = core.order.releasedAfter(key, turn.line, "change");
  if (answer.verdict === "pass") return await core.repeat.admit(owner, call, turn.at, changed);
  const judged = runs.find((run) => run.verdict.kind === "refuse");
  if (judged === undefined || changed || core.order.releasedAfter(key, turn.line, "person")) return;
  await core.repeat.keepRefusal(
    owner,
    call,
    { at: core.setting.clock.iso(), reason: answer.reason || reasonOf(judged), hook: judged.hook },
    turn.catalog,
  );
}

/** What an event settles in the records before any hook hears of it. */
async function settleEvent(
  core: Dispatching,
  event: HookEvent,
  owner: Owner | null,
  catalog: Catalog,
  at: string,
  line: number,
): Promise<void> {
  if (owner === null) return;
  const key = keyOf(owner);
  if (event.event === "input") {
    const releases = await core.order.inTurn(key, [], () => core.repeat.personWrote(owner));
    if (releases) core.order.noteRelease(key, line, "person");
  }
  if (event.event === "compact") await core.order.inTurn(key, [], () => core.repeat.compacted(owner));
  if (event.event !== "tool_result") return;
  const call = describeCall(core.setting.harness, event.payload);
  const { isError, text, details } = event.payload;
  const pending = core.order.decisionsFor(key, call.harnessCall === null ? [call.id] : [`call:${call.harnessCall}`]);
  const lifted = await core.order.inTurn(key, pending, async () =>
    core.refused.isAnswerToOne(key, call, text)
      ? false
      : await core.repeat.settle(owner, call, { isError, text, details, at }, catalog),
  );
  if (lifted) core.order.noteRelease(key, line, "change");
}

interface HooksOutcome {
  readonly runs: readonly HookRun[];
  readonly answer: Answer;
}

async function hooksOf(core: Dispatching, request: DispatchRequest, catalog: Catalog): Promise<HooksOutcome> {
  const { event, signal } = request;
  const hooks = catalog.hooks.filter((hook) => reaches(hook, event, core.setting.harness, kindOf(core, event)));
  const [first] = hooks;
  if (first === undefined) return { runs: [], answer: foldVerdicts([], newRefusalId) };
  const unfit = unfitToUse(core.setting.home);
  if (unfit !== null) return { runs: [], answer: faultOf(first.id, `${first.id}: ${unfit}`).answer };
  const over = core.pool.during(hooks.length);
  const token = {};
  const session = event.payload.session ?? null;
  core.running.set(token, { dispatch: request.id, event: event.event, session, hooks: hooks.map((hook) => hook.id) });
  try {
    const judged = await Promise.all(hooks.map((hook) => runOne(core, request, hook)));
    const runs = signal.aborted ? judged : await withGrants(core.setting, request, judged);
    const answer = signal.aborted ? cancelled(signal) : foldVerdicts(runs, newRefusalId);
    return { runs: signal.aborted ? [] : runs, answer };
  } finally {
    core.running.delete(token);
    over();
  }
}

function runOne(core: Dispatching, request: DispatchRequest, hook: DeclaredHook): Promise<HookRun> {
  const { event, signal } = request;
  const { setting } = core;
  const input = hookInput({ hook, event, dispatch: request.id, home: setting.home.root, harness: setting.harness });
  const cwd = event.payload.cwd ?? null;
  return runHook(core.pool, setting.clock, {
    assignment: {
      hook: hook.id,
      command: input.command,
      session: event.payload.session ?? null,
      dispatch: request.id,
      at: setting.clock.iso(),
      program: input.program,
      cwd: cwd !== null && existsSync(cwd) ? cwd : null,
      // A gate runs in the supervisor itself, whose environment is the core's.
      environment:
        "gate" in input.program ? {} : { ...core.environment, TAMA_HOME: setting.home.root, ...input.environment },
      stdin: input.stdin,
    },
    event: event.event,
    signal,
    onProgress: (line) => request.onProgress(hook.id, printable(line)),
  });
}

function kindOf(core: Dispatching, event: HookEvent): string | null {
  if (event.event !== "tool_call" && event.event !== "tool_result") return null;
  return event.payload.kind ?? toolKind(core.setting.harness, event.payload.tool);
}

/** A registry that vanished under a session whose hooks were declared must not switch them off (contract 3.4). */
function goneUnder(core: Dispatching, owner: Owner): string | null {
  for (const one of [owner, { session: owner.session, agentId: null }]) {
    const record = core.records.read(one);
    if (!record.ok) return `${record.cause}${movedAside(core.setting.home.sessionRecord(one.session, one.agentId))}`;
    const hooks = record.value?.catalog.hooks ?? [];
    if (hooks.length > 0) return registryGone(hooks);
  }
  return null;
}

function repeatCause(check: Extract<Check, { kind: "fault" }>): string {
  return `the repeat gate ${check.cause}${check.broken === undefined ? "" : movedAside(check.broken)}`;
}

/** Without gates over a task ledger there is no ledger, and nothing that would forbid completion. */
function activated(event: HookEvent, answer: Answer): Answer {
  if (event.event !== "session_start" || !answer.ok || answer.verdict !== "pass") return answer;
  const pass: PassAnswer = { ...answer, activation: { taskLedger: "none", completionAllowed: true, pendingTasks: [] } };
  return pass;
}
