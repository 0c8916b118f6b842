import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shellLine } from "../../src/calls/shell-line.ts";
import { listEntries, type ShownEntry } from "../../src/transcript/list-entries.ts";

/** Whole, broken and odd transcript files in each harness's form, and what a reader must say of each. */
interface Expected {
  readonly harness: string;
  readonly broken: number | null;
  readonly setAside: boolean;
  readonly person?: number;
  readonly calls?: number;
  readonly answers?: readonly { readonly call: string; readonly outcome: string }[];
}

const folder = join(import.meta.dir, "transcripts");
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Record<string, Expected>;

for (const [file, want] of Object.entries(expected)) {
  for (const harness of [want.harness, ""]) {
    describe(`${file}, ${harness === "" ? "its form seen from the records" : harness}`, () => {
      const entries: ShownEntry[] = [];
      const path = join(folder, file);
      const reading = listEntries({ path, harness, accepted: new Set() }, (entry) => entries.push(entry));
      if (reading.kind !== "read") throw new Error(reading.kind);

      test("where it is broken, and what is set aside", () => {
        expect({ broken: reading.broken?.byte ?? null, setAside: reading.setAside }).toEqual({
          broken: want.broken,
          setAside: want.setAside,
        });
      });

      test("how many persons' messages and calls", () => {
        if (want.person !== undefined) expect(entries.filter((one) => one.kind === "person")).toHaveLength(want.person);
        if (want.calls !== undefined) expect(callsOf(entries)).toHaveLength(want.calls);
      });

      test("how each call ended", () => {
        for (const answer of want.answers ?? []) {
          const call = callsOf(entries).find((one) => shellLine(one.input) === answer.call);
          const result = entries.find((one) => one.kind === "result" && one.call === call?.id);
          expect(result).toMatchObject({ outcome: answer.outcome });
        }
      });
    });
  }
}

function callsOf(entries: readonly ShownEntry[]) {
  return entries.flatMap((entry) => (entry.kind === "answer" ? entry.calls : []));
}
