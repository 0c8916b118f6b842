import { done, failed, type Result } from "../base/result.ts";
import { append, remove } from "./json-edit.ts";

// The form that Claude Code began and Codex and Gemini CLI took over: `{"hooks":{"<event>":[{"matcher","hooks":[{"type","command",…}]}]}}`.

export type Json = Readonly<Record<string, unknown>>;

/** Whether a hook entry is Tama's. */
export type IsOwn = (entry: unknown) => boolean;

/** How an agent's file becomes JSON; offsets must stay. Default: it is JSON. */
export type AsJson = (text: string) => string;

/** One element of an event's list. */
export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly object[];
}

/** Where Tama's entry stands: event, place in the event's list, place in the group. */
export interface OwnPlace {
  readonly event: string;
  readonly group: number;
  readonly entry: number;
}

/**
 * The text with exactly the wanted groups of Tama's, each the last of its event's list (Codex trusts hooks by their position, so one put
 * before a person's own would untrust that), and everything else as it was. A text that is no JSON object, or whose hooks have another
 * shape, is refused with its place.
 */
export function withOwnGroups(
  text: string,
  wanted: ReadonlyMap<string, HookGroup>,
  isOwn: IsOwn,
  asJson: AsJson = itself,
): Result<string> {
  const file = readHooksFile(asJson(text));
  if (!file.ok) return file;
  if (standsAsWanted(file.value, wanted, isOwn)) return done(text);
  const bare = withoutOwnEntries(text, isOwn, asJson);
  if (!bare.ok) return bare;
  let next = bare.value.trim() === "" ? "{}\n" : bare.value;
  for (const [event, group] of wanted) {
    const hooks = objectIn(parseHooksFile(asJson(next)), "hooks");
    if (hooks === null) next = append(next, [], { [event]: [group] }, "hooks");
    else if (!(event in hooks)) next = append(next, ["hooks"], [group], event);
    else next = append(next, ["hooks", event], group);
  }
  return done(next);
}

/** The text without Tama's entries, and without the groups and lists that only they filled. */
export function withoutOwnEntries(text: string, isOwn: IsOwn, asJson: AsJson = itself): Result<string> {
  let next = text;
  for (;;) {
    const file = readHooksFile(asJson(next));
    if (!file.ok) return file;
    const own = ownPlaces(file.value, isOwn)[0];
    if (own === undefined) return done(next);
    next = remove(next, widestAround(file.value, own));
  }
}

/** Where Tama's entries stand in a text that is fit; empty for one that is not. */
export function ownPlacesIn(text: string, isOwn: IsOwn): readonly OwnPlace[] {
  const file = readHooksFile(text);
  return file.ok ? ownPlaces(file.value, isOwn) : [];
}

/** Tama's registered command for an event, or null. */
export function ownCommandIn(text: string, event: string, isOwn: IsOwn): string | null {
  const file = readHooksFile(text);
  if (!file.ok) return null;
  const own = groupsOf(file.value, event).flatMap(entriesOf).find(isOwn);
  return isObject(own) && typeof own["command"] === "string" ? own["command"] : null;
}

function itself(text: string): string {
  return text;
}

function ownPlaces(file: Json, isOwn: IsOwn): readonly OwnPlace[] {
  return Object.entries(objectIn(file, "hooks") ?? {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((one, group) =>
      entriesOf(one).flatMap((entry, at) => (isOwn(entry) ? [{ event, group, entry: at }] : [])),
    ),
  );
}

/** The widest thing around an own entry that holds nothing else. */
function widestAround(file: Json, { event, group, entry }: OwnPlace): (string | number)[] {
  const hooks = objectIn(file, "hooks") ?? {};
  const groups = listOf(hooks[event]);
  if (entriesOf(groups[group]).length > 1) return ["hooks", event, group, "hooks", entry];
  if (groups.length > 1) return ["hooks", event, group];
  return Object.keys(hooks).length > 1 ? ["hooks", event] : ["hooks"];
}

function standsAsWanted(file: Json, wanted: ReadonlyMap<string, HookGroup>, isOwn: IsOwn): boolean {
  const hooks = objectIn(file, "hooks") ?? {};
  return [...Object.keys(hooks), ...wanted.keys()].every((event) => {
    const groups = listOf(hooks[event]);
    const own = groups.filter((group) => entriesOf(group).some(isOwn));
    const group = wanted.get(event);
    if (group === undefined) return own.length === 0;
    return own.length === 1 && own[0] === groups.at(-1) && Bun.deepEquals(own[0], group, true);
  });
}

/** The file of a text that was checked before; an empty one means none, as it does for the agents. Throws where it is no JSON. */
export function parseHooksFile(text: string): Json {
  const json = text.replace(/^\ufeff/, "");
  return json.trim() === "" ? {} : JSON.parse(json);
}

/** The file, checked as far as Tama touches it. */
export function readHooksFile(text: string): Result<Json> {
  let value: unknown;
  try {
    value = parseHooksFile(text);
  } catch (thrown) {
    return failed(`is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  if (!isObject(value)) return failed("is no JSON object");
  const hooks = value["hooks"];
  if (hooks === undefined) return done(value);
  if (!isObject(hooks)) return failed("has no object at hooks");
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) return failed(`has no list at hooks.${event}`);
    const odd = groups.findIndex((group) => !isObject(group) || !Array.isArray(group["hooks"]));
    if (odd !== -1) return failed(`has no list of hooks at hooks.${event}.${odd}.hooks`);
  }
  return done(value);
}

/** The list of one event; empty where there is none. */
export function groupsOf(file: Json, event: string): readonly unknown[] {
  return listOf(objectIn(file, "hooks")?.[event]);
}

/** The hook entries of one element of such a list. */
export function entriesOf(group: unknown): readonly unknown[] {
  return isObject(group) ? listOf(group["hooks"]) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectIn(value: Json, name: string): Json | null {
  const inner = value[name];
  return isObject(inner) ? inner : null;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
