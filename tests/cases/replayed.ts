import { tama, type World } from "../journeys/tama-command.ts";

/** What replay says of a transcript's newest act: it never came so far, it let it pass, or it refused in these words. */
export type ReplayedVerdict =
  | { readonly kind: "stopped"; readonly cause: string }
  | { readonly kind: "pass" }
  | { readonly kind: "refuse"; readonly reason: string };

interface Replayed {
  readonly sessions: readonly {
    readonly path: string;
    readonly stopped: { readonly cause: string } | null;
    readonly refusals: readonly { readonly byte: number; readonly reason: string }[];
  }[];
}

/**
 * Plays a folder of transcripts through one gate by the built `tama replay`. `before` says for each path how many bytes of it stand before
 * its newest act, so that what was refused earlier in the story is not taken for it.
 */
export async function replayedVerdicts(
  world: World,
  gate: string,
  folder: string,
  before: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, ReplayedVerdict>> {
  const ended = await tama(world, ["replay", folder, "--gate", gate, "--json"]);
  if (ended.code !== 0) throw new Error(`replay: exit ${ended.code}: ${ended.stderr}`);
  const { sessions } = JSON.parse(ended.stdout) as Replayed;
  return new Map(sessions.map((session) => [session.path, verdictOf(session, before.get(session.path) ?? 0)]));
}

function verdictOf({ stopped, refusals }: Replayed["sessions"][number], before: number): ReplayedVerdict {
  if (stopped !== null) return { kind: "stopped", cause: stopped.cause };
  const newest = refusals.find(({ byte }) => byte >= before);
  return newest === undefined ? { kind: "pass" } : { kind: "refuse", reason: newest.reason };
}
