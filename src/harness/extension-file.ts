import { basename } from "node:path";
import type { Transcripts } from "./examine/inspection.ts";
import type { Machine } from "./harness.ts";

// The one file of Tama's among an agent's extensions (OMP, and pi, which OMP comes from): made of sources, filled with this machine's constants.

/** A source by its name. To the type checker it is a module, to the bundler a text. */
export type Part = readonly [name: string, module: object];

/** The sources one after another, without what they import from each other and without `export`. `adapt` may change one's text before that. */
export function joinParts(
  about: string,
  parts: readonly Part[],
  adapt: (name: string, source: string) => string = (_name, source) => source,
): string {
  const texts = parts.map(([name, module]) => {
    const source: unknown = Reflect.get(module, "default");
    if (typeof source !== "string") throw new Error(`${name} of the adapter is not embedded as text`);
    return `// ---- ${name}\n\n${standAlone(adapt(name, source))}`;
  });
  return [about, ...texts].join("\n");
}

function standAlone(source: string): string {
  return source
    .replace(/^import [^;]* from "\.[^"]+";\n/gm, "")
    .replace(/^export (?!default )/gm, "")
    .trimStart();
}

/** The source with its constants filled in, as JSON so that no path can end a string. */
export function withConstants(source: string, { binary, release }: Pick<Machine, "binary" | "release">): string {
  return source
    .replace('"@tama-binary@"', () => JSON.stringify(binary))
    .replace('"@tama-release@"', () => JSON.stringify(release));
}

/** The program that such a file starts; null where it names none. */
export function programInExtension(text: string): string | null {
  const found = /\bbinary: ("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (found === undefined) return null;
  const value: unknown = JSON.parse(found);
  return typeof value === "string" ? value : null;
}

/** Of a transcript of these agents, `2026-11-30T18-00-00-000Z_<session>.jsonl`: its session, null for another file, and when it began. */
export const namedTranscripts: Pick<Transcripts, "sessionOf" | "beganAt"> = {
  sessionOf: (path) => /^\d{4}-[^/]*_([^_/]+)\.jsonl$/.exec(basename(path))?.[1] ?? null,
  beganAt: (path) => {
    const [, day, hour, minute, rest] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d-\d{3}Z)_/.exec(basename(path)) ?? [];
    const time = Date.parse(`${day}T${hour}:${minute}:${rest?.replace("-", ".")}`);
    return Number.isNaN(time) ? null : time;
  },
};
