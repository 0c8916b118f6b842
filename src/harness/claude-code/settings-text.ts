import { done, failed, type Result } from "../../base/result.ts";
import { type HookGroup, isOwnEntry } from "./entries.ts";
import { append, remove } from "./json-edit.ts";

export type Json = Readonly<Record<string, unknown>>;

/**
 * The settings text with exactly the wanted groups of Tama's, each the last of its event's list, and everything else as it was. The same
 * text where that is so already. A text that is no JSON object, or whose hooks have another shape, is refused with its place: Claude Code
 * drops the whole file for one bad entry, so nothing is guessed.
 */
export function withOwnGroups(text: string, wanted: ReadonlyMap<string, HookGroup>): Result<string> {
  const settings = checkedSettings(text);
  if (!settings.ok) return settings;
  if (
    [...eventsIn(settings.value), ...wanted.keys()].every((event) => stands(settings.value, event, wanted.get(event)))
  )
    return done(text);
  const bare = withoutOwnEntries(text);
  if (!bare.ok) return bare;
  let next = bare.value.trim() === "" ? "{}\n" : bare.value;
  for (const [event, group] of wanted) {
    const hooks = objectIn(parseSettings(next), "hooks");
    if (hooks === null) next = append(next, [], { [event]: [group] }, "hooks");
    else if (!(event in hooks)) next = append(next, ["hooks"], [group], event);
    else next = append(next, ["hooks", event], group);
  }
  return done(next);
}

/** The settings text without Tama's entries, and without the groups and lists that only they filled. */
export function withoutOwnEntries(text: string): Result<string> {
  let next = text;
  for (;;) {
    const settings = checkedSettings(next);
    if (!settings.ok) return settings;
    const own = firstOwn(settings.value);
    if (own === null) return done(next);
    next = remove(next, own);
  }
}

/** What is to be taken out next: the widest thing around an own entry that holds nothing else. */
function firstOwn(settings: Json): (string | number)[] | null {
  const hooks = objectIn(settings, "hooks") ?? {};
  for (const [event, groups] of Object.entries(hooks)) {
    for (const [at, group] of listOf(groups).entries()) {
      const entries = entriesOf(group);
      const own = entries.findIndex(isOwnEntry);
      if (own === -1) continue;
      if (entries.length > 1) return ["hooks", event, at, "hooks", own];
      if (listOf(groups).length > 1) return ["hooks", event, at];
      return Object.keys(hooks).length > 1 ? ["hooks", event] : ["hooks"];
    }
  }
  return null;
}

/** The hook entries of one event that Claude Code runs whatever the event is about: in a group for all, without a condition, awaited. */
export function entriesForAll(settings: Json, event: string): readonly Json[] {
  return listOf(objectIn(settings, "hooks")?.[event])
    .filter((group) => isObject(group) && ["", "*", undefined].some((all) => group["matcher"] === all))
    .flatMap(entriesOf)
    .filter(isObject)
    .filter((entry) => entry["type"] === "command" && !("if" in entry) && !("async" in entry) && !("args" in entry));
}

function stands(settings: Json, event: string, wanted: HookGroup | undefined): boolean {
  const groups = listOf(objectIn(settings, "hooks")?.[event]);
  const own = groups.filter((group) => entriesOf(group).some(isOwnEntry));
  if (wanted === undefined) return own.length === 0;
  return own.length === 1 && own[0] === groups.at(-1) && Bun.deepEquals(own[0], wanted, true);
}

/** The settings of a text that was checked before; an empty file means none, as it does for Claude Code. Throws where it is no JSON. */
export function parseSettings(text: string): Json {
  const json = text.replace(/^\ufeff/, "");
  return json.trim() === "" ? {} : JSON.parse(json);
}

/** The settings, checked as far as Tama touches them. */
export function checkedSettings(text: string): Result<Json> {
  let value: unknown;
  try {
    value = parseSettings(text);
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

function eventsIn(settings: Json): readonly string[] {
  return Object.keys(objectIn(settings, "hooks") ?? {});
}

function entriesOf(group: unknown): readonly unknown[] {
  return isObject(group) ? listOf(group["hooks"]) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectIn(value: Json, name: string): Json | null {
  const inner = value[name];
  return isObject(inner) ? inner : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
