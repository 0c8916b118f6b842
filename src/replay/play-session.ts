import { basename } from "node:path";
import type { FactSources } from "../facts/load-facts.ts";
import { openProtectedPlaces } from "../facts/protected-places.ts";
import { declaredShells } from "../facts/system.ts";
import { entriesInParts, type PartsEnd } from "../transcript/entries-in-parts.ts";
import { type EventOrder, openEventOrder } from "./event-order.ts";
import type { GatesAsked } from "./gates-asked.ts";
import { openPlayer, type Player, type PlayerSetting } from "./player.ts";
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
  const setting = { path, session: basename(path, ".jsonl"), gates, ...machineOf(sources) };
  const parts = entriesInParts(path, harness);
  let player: Player | null = null;
  let order: EventOrder | null = null;
  let named = harness;
  let end: PartsEnd | null = null;
  let bytes = 0;
  let lines: ReadonlyMap<number, number> = new Map();
  while (end === null) {
    const next = await parts.next();
    if (next.done === true) {
      end = next.value;
      break;
    }
    const { format, folder, entries, offset } = next.value;
    bytes = offset;
    lines = next.value.lines;
    request.onRead(offset);
    if (format === null) continue;
    named = format;
    player ??= openPlayer({ ...setting, format, folder });
    order ??= openEventOrder(format);
    for (const entry of entries) for (const now of order.take(entry)) await player.take(now);
  }
  for (const last of order?.end() ?? []) await player?.take(last);
  const played = player === null ? nothing : await player.end();
  return {
    path,
    harness: named,
    bytes,
    ...played,
    refusals: played.refusals.map((one) => ({ ...one, line: lines.get(one.byte) ?? null })),
    stopped: stoppedBy(end),
  };
}

type Machine = Pick<PlayerSetting, "places" | "shells">;
const machines = new WeakMap<FactSources, Machine>();

/** What this machine has is looked up once for all the sessions that a process plays. */
function machineOf(sources: FactSources): Machine {
  const known = machines.get(sources) ?? { places: openProtectedPlaces(sources), shells: declaredShells() };
  machines.set(sources, known);
  return known;
}

const nothing = { calls: 0, endings: 0, from: null, to: null, strip: "", refusals: [] } as const;

function stoppedBy(end: PartsEnd): SessionReplay["stopped"] {
  if (end.kind === "unreadable") return { byte: null, cause: end.cause };
  return end.broken === null
    ? null
    : {
        byte: end.broken.byte,
        cause: `the line starting at byte ${end.broken.byte} is not a JSON record: ${end.broken.cause}`,
      };
}
