import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { factLoader } from "../../src/facts/load-facts.ts";
import { runGate } from "../../src/gates/run-gate.ts";
import { everyWrittenHarness, type Happening, writtenTranscript } from "./written-transcript.ts";

/** Endings that hand commands over: the real gate function over a real transcript of what the session ran, in each harness's form. */
interface Handed {
  readonly name: string;
  readonly ran: readonly string[];
  readonly answer: string;
  readonly expect: { readonly verdict: "pass" | "refuse"; readonly lines?: readonly string[] };
}

const cases = ["handed.jsonl", "own-handed.jsonl"].flatMap((file) =>
  readFileSync(join(import.meta.dir, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Handed),
);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-handed-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ran = (command: string, text = "ok", isError = false): Happening => ({
  call: { tool: "bash", input: { command } },
  answer: { isError, text },
});

for (const harness of everyWrittenHarness) {
  const ask = async (story: readonly Happening[], answer: string) => {
    const transcript = join(folder, `${harness}.jsonl`);
    writeFileSync(transcript, writtenTranscript(harness, [...story, { says: answer }]));
    const load = factLoader({
      tamaHome: join(folder, "home"),
      userHome: folder,
      cwd: folder,
      environment: {},
      clock: systemClock,
    });
    const event = { event: "stop", transcript, answer, tama: { harness } };
    return await runGate("block-unchecked-operator-commands", JSON.stringify(event), load);
  };

  describe(harness, () => {
    for (const one of cases) {
      test(one.name, async () => {
        const ending = await ask(
          one.ran.map((line) => ran(line)),
          one.answer,
        );
        expect(ending.code).toBe(one.expect.verdict === "pass" ? 0 : 2);
        const lines = ending.code === 2 ? (JSON.parse(ending.stdout) as { evidence: string }).evidence.split("\n") : [];
        expect(lines).toEqual([...(one.expect.lines ?? [])]);
        if (ending.code === 2)
          expect(ending.stderr).toStartWith(
            "BLOCKED: block-unchecked-operator-commands: this answer hands over commands this session never ran itself:\n",
          );
      });
    }

    const handed = "```sh\nnpm run deploy\n```";
    test("a command that ran and failed was met by the agent", async () => {
      expect((await ask([ran("npm run deploy", "no rights\nCommand exited with code 1", true)], handed)).code).toBe(0);
    });

    test("what a refusal gives to a person to run may be handed on, and nothing else of it", async () => {
      const refused = (line: string, rest: string): Happening =>
        ran(
          line,
          `BLOCKED: block-gate-tampering: this call would switch what judges this session. If it is right, ${rest}`,
          true,
        );
      const given = "a person runs it at their own terminal: cd /srv/app && tama hooks declare --file 'a b.json'";
      const story = [refused("tama hooks declare --file 'a b.json'", given)];
      const handsOver = (line: string): string => `The hook is to be declared.\n\n\`\`\`sh\n${line}\n\`\`\``;
      expect((await ask(story, handsOver('cd /srv/app && tama hooks declare --file "a b.json"'))).code).toBe(0);
      expect((await ask(story, handsOver("tama hooks withdraw --all"))).code).toBe(2);
      const pass = "tama transcript accept 7 --session s --because";
      const torn = {
        refusedStop: `BLOCKED: x. The operator can pass over that line: ${pass} "<why it does not matter>".`,
      };
      expect((await ask([torn], handsOver(`${pass} "<why it does not matter>"`))).code).toBe(0);
      expect((await ask([torn], handsOver(`${pass} "I wrote it"`))).code).toBe(2);
      expect((await ask([ran("cat notes", given)], handsOver("tama hooks declare --file 'a b.json'"))).code).toBe(2);
    });

    test("one refused before it ran, and one the person ran, were not", async () => {
      expect((await ask([ran("npm run deploy", "BLOCKED: not now", true)], handed)).code).toBe(2);
      expect((await ask([{ personRan: "npm run deploy" }], handed)).code).toBe(2);
    });
  });
}
