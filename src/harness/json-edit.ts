import { type Place, placesOf, withoutComments } from "./json-places.ts";

/**
 * Changes to a JSON text that leave every other character as it is. What is put in takes the manner of its surroundings: on lines of its
 * own with their indent where the neighbours stand so, on the same line where they do. `path` names an object or array by keys and
 * numbers; it must be there.
 */
export type Path = readonly (string | number)[];

/** Puts a value behind the last item of the array at `path`, or a member behind the last one of the object. */
export function append(json: string, path: Path, value: unknown, key?: string): string {
  const holder = placeAt(placesOf(json), path);
  const last = [...holder.items, ...holder.members.map(({ value }) => value)].at(-1);
  const label = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const manner = mannerOf(json, holder);
  if (!manner.lines) {
    const text = label + JSON.stringify(value);
    return last === undefined
      ? splice(json, blankFrom(json, holder), holder.to - 1, text)
      : splice(json, last.to, last.to, `, ${text}`);
  }
  const text = label + JSON.stringify(value, null, manner.unit).replaceAll("\n", manner.newline + manner.inner);
  if (last !== undefined) return splice(json, last.to, last.to, `,${manner.newline}${manner.inner}${text}`);
  const around = `${manner.newline}${manner.inner}${text}${manner.newline}${manner.outer}`;
  return splice(json, blankFrom(json, holder), holder.to - 1, around);
}

/** What stands between two neighbours and is a person's: comments, with what is around them but the comma. */
function saidBetween(json: string, from: number, to: number): string {
  const between = json.slice(from, to);
  const comma = withoutComments(between).indexOf(",");
  return /^[\s,]*$/.test(between) ? "" : between.slice(0, comma) + between.slice(comma + 1);
}

/** Where the white space before the holder's end begins: a comment in an empty holder stays. */
function blankFrom(json: string, holder: Place): number {
  return holder.from + 1 + json.slice(holder.from + 1, holder.to - 1).trimEnd().length;
}

/** Takes out the item or member at `path`, with the comma that goes with it. */
export function remove(json: string, path: Path): string {
  const name = path.at(-1);
  const holder = placeAt(placesOf(json), path.slice(0, -1));
  const spans =
    typeof name === "number"
      ? holder.items.map(({ from, to }) => ({ from, to }))
      : holder.members.map(({ from, value }) => ({ from, to: value.to }));
  const index = typeof name === "number" ? name : holder.members.findLastIndex(({ key }) => key === name);
  const span = spans[index];
  if (span === undefined) return json;
  const before = spans[index - 1];
  const after = spans[index + 1];
  if (before !== undefined) return splice(json, before.to, span.to, saidBetween(json, before.to, span.from));
  if (after !== undefined) return splice(json, span.from, after.from, saidBetween(json, span.to, after.from));
  const around = json.slice(holder.from + 1, span.from) + json.slice(span.to, holder.to - 1);
  return around.trim() === "" ? splice(json, holder.from + 1, holder.to - 1, "") : splice(json, span.from, span.to, "");
}

interface Manner {
  readonly lines: boolean;
  readonly newline: string;
  /** One step of indent. */
  readonly unit: string;
  /** The indent of what the holder holds, and of the line on which it ends. */
  readonly inner: string;
  readonly outer: string;
}

function mannerOf(json: string, holder: Place): Manner {
  const newline = json.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(json, holder.from);
  const unit = /^([ \t]+)"/m.exec(json)?.[1] ?? "  ";
  const first = holder.items[0]?.from ?? holder.members[0]?.from;
  if (first === undefined)
    return { lines: json.trim() === "{}" || json.trim().includes("\n"), newline, unit, inner: outer + unit, outer };
  const lines = json.slice(holder.from, first).includes("\n");
  return { lines, newline, unit, inner: indentAt(json, first), outer };
}

/** The white space that begins the line on which `at` stands. */
function indentAt(json: string, at: number): string {
  const start = json.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(json.slice(start, at))?.[0] ?? "";
}

function placeAt(root: Place, path: Path): Place {
  return path.reduce<Place>((place, step) => {
    const next =
      typeof step === "number" ? place.items[step] : place.members.findLast((member) => member.key === step)?.value;
    if (next === undefined) throw new Error(`there is no ${JSON.stringify(step)} at ${place.from}`);
    return next;
  }, root);
}

function splice(json: string, from: number, to: number, text: string): string {
  return json.slice(0, from) + text + json.slice(to);
}
