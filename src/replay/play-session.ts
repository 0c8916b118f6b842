import { basename } from "node:path";
import { newestOf } from "../facts/changed-beside.ts";
import type { FactSources } from "../facts/load-facts.ts";
import { openProtectedPlaces } from "../facts/protected-places.ts";
import { declaredShells } from "../facts/system.ts";
import { entriesInParts, type PartsEnd } from "../transcript/entries-in-parts.ts";
import type { Entry } from "../transcript/entry.ts";
import { changesBeside, type LiftedAt } from "./changes-beside.ts";
import { type EventOrder, openEventOrder } from "./event-order.ts";
import type { GatesAsked } from "./gates-asked.ts";
import { memoryRecords } from "./memory-records.ts";
import { openPlayer, type Played, type Player, type PlayerSetting } from "./player.ts";
import type { SessionReplay } from "./session-replay.ts";

export interface PlayRequest {
  readonly path: string;
  /** The harness's name, or "" to see it from the records. */
  readonly harness: string;
  readonly gates: GatesAsked;
  readonly sources: FactSources;
  /** Told how far the file was read. */
  readonly onRead: (bytes: number) => void;
}

/** Plays one finished transcript through the gates. Up to a broken line everything counts. */
export async function playSession(request: PlayRequest): Promise<SessionReplay> {
  const { path, harness, gates, sources } = request;
  let now = "";
  const beside = changesBeside(path, (file) => liftsOf(file, harness, sources));
  const records = memoryRecords(async () => ((await beside.load()) ? beside.by(now) : []));
  const changedBeside = (): string | null => newestOf(beside.by(now));
  const setting = { gates, records, changedBeside, readBeside: beside.load };
  const { played, format, bytes, lines, end } = await playFile(request, setting, (time) => {
    now = time;
  });
  return {
    path,
    harness: format ?? harness,
    bytes,
    ...played,
    refusals: played.refusals.map((one) => ({ ...one, line: lines.get(one.byte) ?? null })),
    stopped: stoppedBy(end, format),
  };
}

const liftsRead = new WeakMap<FactSources, Map<string, Promise<readonly LiftedAt[]>>>();

/** What one agent's file shows it to have changed or heard, by the repeat rule itself; each file is played once for this by a process. */
function liftsOf(path: string, harness: string, sources: FactSources): Promise<readonly LiftedAt[]> {
  const read = liftsRead.get(sources) ?? new Map<string, Promise<readonly LiftedAt[]>>();
  liftsRead.set(sources, read);
  const lifts = read.get(path) ?? playLifts(path, harness, sources);
  read.set(path, lifts);
  return lifts;
}

async function playLifts(path: string, harness: string, sources: FactSources): Promise<readonly LiftedAt[]> {
  const lifts: LiftedAt[] = [];
  const records = memoryRecords();
  const setting = { gates: repeatAlone, records, changedBeside: () => null, readBeside: () => Promise.resolve(false) };
  const owner = { session: basename(path, ".jsonl"), agentId: null };
  let time = "";
  const note = (): void => {
    const started = records.started(owner);
    const lifted = started.ok ? started.value?.lifted : undefined;
    if (lifted !== undefined && lifted !== lifts.at(-1)?.lifted) lifts.push({ at: time, lifted });
  };
  await playFile({ path, harness, sources, onRead: () => {} }, setting, (next) => {
    note();
    time = next;
  });
  note();
  return lifts;
}

const repeatAlone: GatesAsked = { repeat: true, onCalls: [], onEndings: [] };

interface FilePlayed {
  readonly played: Played;
  readonly format: string | null;
  readonly bytes: number;
  readonly lines: ReadonlyMap<number, number>;
  readonly end: PartsEnd;
}

/** Takes a file's entries through a player in the order in which its harness asked; `before` hears each entry's time. */
async function playFile(
  { path, harness, sources, onRead }: Omit<PlayRequest, "gates">,
  own: Pick<PlayerSetting, "gates" | "records" | "changedBeside" | "readBeside">,
  before: (time: string) => void,
): Promise<FilePlayed> {
  const setting = { path, session: basename(path, ".jsonl"), ...own, ...machineOf(sources) };
  const parts = entriesInParts(path, harness);
  let player: Player | null = null;
  let order: EventOrder | null = null;
  let format: string | null = null;
  let bytes = 0;
  let lines: ReadonlyMap<number, number> = new Map();
  const take = async (entries: Iterable<Entry>): Promise<void> => {
    for (const entry of entries) {
      if (entry.time !== null) before(entry.time);
      const taken = player?.take(entry);
      if (taken !== undefined) await taken;
    }
  };
  for (;;) {
    const next = await parts.next();
    if (next.done === true) {
      await take(order?.end() ?? []);
      return { played: player?.end() ?? nothing, format, bytes, lines, end: next.value };
    }
    const { format: seen, folder, entries, offset } = next.value;
    bytes = offset;
    lines = next.value.lines;
    onRead(offset);
    if (seen === null) continue;
    format = seen;
    player ??= openPlayer({ ...setting, format: seen, folder });
    order ??= openEventOrder(seen);
    await take(inOrder(order, entries));
  }
}

function* inOrder(order: EventOrder, entries: readonly Entry[]): Generator<Entry> {
  for (const entry of entries) yield* order.take(entry);
}

type Machine = Pick<PlayerSetting, "places" | "shells">;
const machines = new WeakMap<FactSources, Machine>();

/** What this machine has is looked up once for all the sessions that a process plays. */
function machineOf(sources: FactSources): Machine {
  const known = machines.get(sources) ?? { places: openProtectedPlaces(sources), shells: declaredShells() };
  machines.set(sources, known);
  return known;
}

const nothing: Played = { calls: 0, endings: 0, from: null, to: null, strip: "", refusals: [] };

function stoppedBy(end: PartsEnd, format: string | null): SessionReplay["stopped"] {
  if (end.kind === "unreadable") return { byte: null, cause: end.cause };
  const { broken, bytes } = end;
  if (broken !== null)
    return {
      byte: broken.byte,
      cause: `the line starting at byte ${broken.byte} is not a JSON record: ${broken.cause}`,
    };
  const isNobodys = format === null && bytes > 0;
  return isNobodys ? { byte: null, cause: "no record in it is of a harness whose transcripts Tama reads" } : null;
}
