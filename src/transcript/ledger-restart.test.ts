import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Happening, writtenHarnesses, writtenTranscript } from "../../tests/cases/written-transcript.ts";
import { entriesOf } from "./format.ts";
import { openLazyFold } from "./lazy-fold.ts";
import { ledgerFold } from "./ledger.ts";

const commands = [
  "cat a",
  "ls",
  "./made x",
  "git commit -m x",
  "sed -i s/a/b/ a",
  "printf '%s' 'git push' > c",
  "tama wait -- ls",
];
const call = fc.record({
  call: fc.oneof(
    fc
      .constantFrom(...commands, "pbcopy < c", "cat a && pbcopy < c")
      .map((command) => ({ tool: "bash", input: { command } })),
    fc.constantFrom("a", "c").map((path) => ({ tool: "write", input: { path, content: `in ${path}` } })),
    fc.constantFrom("a", "c").map((path) => ({ tool: "read", input: { path } })),
    fc.constant({ tool: "task", input: { prompt: "look" } }),
  ),
  answer: fc.option(
    fc.record({
      isError: fc.boolean(),
      text: fc.constantFrom("ok", "BLOCKED: no", "1 failed\nCommand exited with code 1"),
    }),
    { freq: 8 },
  ),
});
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { arbitrary: call, weight: 12 },
  { arbitrary: fc.array(call, { minLength: 2, maxLength: 3 }).map((batch) => ({ batch })), weight: 3 },
  { arbitrary: fc.constantFrom("done", "more").map((says) => ({ says })), weight: 2 },
  { arbitrary: fc.constant({ person: "go on" }), weight: 1 },
  { arbitrary: fc.constantFrom({ refusedStop: "no" }, { notice: "ended" }, { compact: "so far" }), weight: 1 },
);

for (const harness of writtenHarnesses)
  test(`${harness}: what is skimmed leaves the ledger that taking every entry leaves`, () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (story, pause) => {
        const whole = ledgerFold.empty();
        const lazily = ledgerFold.empty();
        const lazy = openLazyFold(ledgerFold, lazily);
        for (const [at, line] of writtenTranscript(harness, story).split("\n").entries()) {
          if (line === "") continue;
          for (const entry of entriesOf(harness, JSON.parse(line), at, false)) {
            ledgerFold.take(whole, entry, harness);
            lazy.take(entry, harness);
          }
          if (at % pause === 0) lazy.settle();
        }
        lazy.settle();
        expect(lazily).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });
