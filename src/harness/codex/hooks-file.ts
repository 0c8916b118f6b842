import type { Result } from "../../base/result.ts";
import * as groups from "../hook-groups.ts";
import { isOwnEntry } from "./entries.ts";

// Codex's hooks.json as Tama touches it.

export type { OwnPlace } from "../hook-groups.ts";

export function withOwnGroups(text: string, wanted: ReadonlyMap<string, groups.HookGroup>): Result<string> {
  return groups.withOwnGroups(text, wanted, isOwnEntry);
}

export function withoutOwnEntries(text: string): Result<string> {
  return groups.withoutOwnEntries(text, isOwnEntry);
}

/** Where Tama's entries stand, which is what Codex's keys of trust are made of. */
export function ownPlacesIn(text: string): readonly groups.OwnPlace[] {
  return groups.ownPlacesIn(text, isOwnEntry);
}

export function ownCommandIn(text: string, event: string): string | null {
  return groups.ownCommandIn(text, event, isOwnEntry);
}

/** Keys beside `hooks`: for one that Codex does not know it drops the whole file (measured). */
export function strangeKeys(text: string): readonly string[] {
  const file = groups.readHooksFile(text);
  return file.ok ? Object.keys(file.value).filter((key) => key !== "hooks" && key !== "description") : [];
}
