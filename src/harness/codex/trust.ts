import { done, failed, type Result } from "../../base/result.ts";
import { type HookGroup, trustHash, trustName } from "./entries.ts";
import { type OwnPlace, ownPlacesIn } from "./hooks-file.ts";

/**
 * Codex runs a hook only once the person has trusted its very text; what is trusted stands in config.toml under the hook's place in its
 * file. `codex exec` says nothing of hooks it leaves out. So Tama computes what Codex will do, and writes trust only when it is asked to.
 */
export type TrustState = "trusted" | "untrusted" | "changed" | "disabled";

export interface TrustOfHook {
  readonly event: string;
  readonly state: TrustState;
}

/** What Codex makes of each of Tama's entries. `hooksPath` is the file's real path. A config that is no TOML trusts nothing and says why. */
export function trustOf(
  hooksText: string,
  hooksPath: string,
  config: string | null,
  wanted: ReadonlyMap<string, HookGroup>,
): Result<readonly TrustOfHook[]> {
  const parsed = parseConfig(config);
  if (!parsed.ok) return parsed;
  const table = objectAt(objectAt(parsed.value, "hooks"), "state");
  return done(
    ownPlacesIn(hooksText).map((place) => {
      const kept = objectAt(table, keyOf(hooksPath, place));
      return { event: place.event, state: stateOf(kept, hashOf(place, wanted)) };
    }),
  );
}

/** Whether Codex's own switch for hooks is off. */
export function hooksSwitchedOff(config: string | null): boolean {
  const parsed = parseConfig(config);
  return parsed.ok && Reflect.get(objectAt(parsed.value, "features"), "hooks") === false;
}

/** The tables that make Codex trust Tama's entries as they stand, behind whatever the config holds. Empty when nothing is missing. */
export function trustBlock(
  hooksText: string,
  hooksPath: string,
  config: string | null,
  wanted: ReadonlyMap<string, HookGroup>,
): Result<string> {
  const states = trustOf(hooksText, hooksPath, config, wanted);
  if (!states.ok) return states;
  if (states.value.every(({ state }) => state === "trusted")) return done("");
  if (states.value.some(({ state }) => state === "changed" || state === "disabled"))
    return failed(
      "holds another decision on Tama's hooks (another text, or disabled); review them in Codex with /hooks",
    );
  const places = ownPlacesIn(hooksText);
  const missing = places.filter((_place, at) => states.value[at]?.state === "untrusted");
  const tables = missing.map(
    (place) => `[hooks.state.${JSON.stringify(keyOf(hooksPath, place))}]\ntrusted_hash = "${hashOf(place, wanted)}"\n`,
  );
  return done(`\n# tama: trust in its own hooks, written by tama install codex --trust\n${tables.join("\n")}`);
}

function keyOf(hooksPath: string, { event, group, entry }: OwnPlace): string {
  return `${hooksPath}:${trustName(event)}:${group}:${entry}`;
}

function hashOf({ event }: OwnPlace, wanted: ReadonlyMap<string, HookGroup>): string {
  const entry = wanted.get(event)?.hooks[0];
  return entry === undefined ? "" : trustHash(event, entry);
}

function stateOf(kept: object, hash: string): TrustState {
  if (Reflect.get(kept, "enabled") === false) return "disabled";
  const trusted: unknown = Reflect.get(kept, "trusted_hash");
  if (typeof trusted !== "string") return "untrusted";
  return trusted === hash ? "trusted" : "changed";
}

function parseConfig(config: string | null): Result<object> {
  try {
    return done(config === null ? {} : Bun.TOML.parse(config));
  } catch (thrown) {
    return failed(`is no TOML: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function objectAt(value: object, name: string): object {
  const inner: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return typeof inner === "object" && inner !== null ? inner : {};
}
