import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OmpRig } from "../../clients/omp-rig.ts";

/** The entries of every transcript of a rig, a session's own and its subagents', in the order of their files. */
export function transcriptEntries(rig: OmpRig): Record<string, unknown>[] {
  const folder = join(rig.home, ".omp/agent/sessions");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  });
}

/** What the adapter itself wrote into the transcripts under one name. */
export function ownEntries(rig: OmpRig, customType: string): Record<string, unknown>[] {
  return transcriptEntries(rig).filter((entry) => entry["customType"] === customType);
}
