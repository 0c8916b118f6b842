import type { Result } from "../../base/result.ts";
import * as groups from "../hook-groups.ts";
import { isOwnEntry } from "./entries.ts";

// Claude Code's settings as Tama touches them. It drops the whole file for one bad entry, so nothing there is guessed.

export type Json = groups.Json;

export function withOwnGroups(text: string, wanted: ReadonlyMap<string, groups.HookGroup>): Result<string> {
  return groups.withOwnGroups(text, wanted, isOwnEntry);
}

export function withoutOwnEntries(text: string): Result<string> {
  return groups.withoutOwnEntries(text, isOwnEntry);
}

/** The hook entries of one event that Claude Code runs whatever the event is about: in a group for all, without a condition, awaited. */
export function entriesForAll(settings: Json, event: string): readonly Json[] {
  return groups
    .groupsOf(settings, event)
    .filter((group) => groups.isObject(group) && ["", "*", undefined].some((all) => group["matcher"] === all))
    .flatMap(groups.entriesOf)
    .filter(groups.isObject)
    .filter((entry) => entry["type"] === "command" && !("if" in entry) && !("async" in entry) && !("args" in entry));
}
