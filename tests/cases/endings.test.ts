import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { factLoader } from "../../src/facts/load-facts.ts";
import { runGate } from "../../src/gates/run-gate.ts";
import { canTell, everyWrittenHarness, type Happening, writtenTranscript } from "./written-transcript.ts";

/**
 * Endings, case by case, in each harness's own transcript: the real gate function over real files, on a machine that has `git` and, but
 * where a case says otherwise, `pbcopy`, and asks for no attestation.
 */
interface Ending {
  readonly gate: string;
  readonly name: string;
  readonly story: readonly Happening[];
  readonly answer: string;
  readonly expect: "pass" | "refuse";
  /** Words the refusal holds. */
  readonly says?: string;
  /** Default: there is one. */
  readonly clipboard?: boolean;
}

const cases = readFileSync(join(import.meta.dir, "own-endings.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Ending);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-endings-"));
  for (const program of ["bin/git", "copying/pbcopy"]) {
    mkdirSync(dirname(join(folder, program)), { recursive: true });
    writeFileSync(join(folder, program), "#!/bin/sh\n");
    chmodSync(join(folder, program), 0o755);
  }
  mkdirSync(join(folder, "home"));
  writeFileSync(join(folder, "home/attestation.md"), "# nothing is to be attested here\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const harness of everyWrittenHarness) {
  describe(harness, () => {
    for (const one of cases) {
      if (!canTell(harness, one.story)) continue;
      test(`${one.gate}: ${one.name}`, async () => {
        const { code, stderr } = await ended(harness, one);
        expect([code, code === 70 ? stderr : ""]).toEqual([one.expect === "pass" ? 0 : 2, ""]);
        if (one.says !== undefined) expect(stderr).toContain(one.says);
      });
    }
  });
}

async function ended(harness: (typeof everyWrittenHarness)[number], one: Ending) {
  const transcript = join(folder, "session.jsonl");
  writeFileSync(transcript, writtenTranscript(harness, [...one.story, { says: one.answer }], folder));
  const clipboard = one.clipboard === false ? "" : `:${join(folder, "copying")}`;
  const load = factLoader({
    tamaHome: join(folder, "home"),
    userHome: folder,
    cwd: folder,
    environment: { PATH: `${join(folder, "bin")}${clipboard}` },
    clock: systemClock,
  });
  const event = { event: "stop", transcript, answer: one.answer, cwd: folder, tama: { harness } };
  return await runGate(one.gate, JSON.stringify(event), load);
}
