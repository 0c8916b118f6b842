import { join } from "node:path";
import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { done, failed, type Result } from "../base/result.ts";
import type { Machine } from "./harness.ts";

// What an agent's file was before Tama changed it lies in TAMA_HOME, one record for each file: it is there as long as Tama is installed there.
// As long as nobody changed the file since, an uninstallation gives back those very bytes; where somebody did, only Tama's entries are taken out.

/** The fields every such record has; the one that names the file has a name of each agent's own. */
export const originalFields = {
  /** sha256 of the text that was written. */
  wrote: v.string(),
  /** The file's text before; null = there was none. */
  before: v.nullable(v.string()),
  /** Folders that had to be made, innermost first. */
  made: v.array(v.string()),
};

/** A record as it lies there; `value` null = none. */
export interface KeptRecord<Kept> {
  readonly path: string;
  readonly text: string | null;
  readonly value: Kept | null;
}

function tamaHome({ environment, home }: Pick<Machine, "environment" | "home">): string {
  return environment["TAMA_HOME"] || join(home, ".tama");
}

export function keptPath(tamaHome: string, harness: string, file: string): string {
  return join(tamaHome, "install", `${harness}-${sha256(file).slice(0, 12)}.json`);
}

/** What an earlier installation kept of `file`. `what` names it to the person. */
export function readKept<Kept>(
  machine: Machine,
  schema: v.GenericSchema<unknown, Kept>,
  { harness, file, what }: { readonly harness: string; readonly file: string; readonly what: string },
): Result<KeptRecord<Kept>> {
  const path = keptPath(tamaHome(machine), harness, file);
  const text = machine.read(path);
  if (!text.ok) return text;
  const kept = text.value === null ? done(null) : parseKept(schema, text.value);
  if (!kept.ok) return failed(`${path} ${kept.cause}; it keeps what ${what}. Move it away to go on without it`);
  return done({ path, text: text.value, value: kept.value });
}

/** The file as it would be had Tama never been installed. */
export function originalOf(
  current: string | null,
  kept: { readonly wrote: string; readonly before: string | null } | null,
  withoutOwn: (text: string) => Result<string>,
): Result<string | null> {
  if (current === null) return done(null);
  return kept !== null && sha256(current) === kept.wrote ? done(kept.before) : withoutOwn(current);
}

function parseKept<Kept>(schema: v.GenericSchema<unknown, Kept>, text: string): Result<Kept> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? done(parsed.output) : failed("is not what Tama wrote");
  } catch {
    return failed("is no JSON");
  }
}
