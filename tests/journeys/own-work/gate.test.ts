import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attestation } from "../../../src/gates/attestation.ts";
import { writtenHarnesses } from "../../cases/written-transcript.ts";
import { type ToldSession, tellSession } from "../told-session.ts";

/** A report is not the work it describes (spec: conduct gates), declared and driven through the built core. */
let session: ToldSession | null = null;
afterEach(async () => {
  await session?.close();
  session = null;
});

const folder = mkdtempSync(join(tmpdir(), "tama-own-work-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A search path of these programs alone. */
function toolsWith(...programs: string[]): string {
  const bin = join(folder, programs.join("-"));
  mkdirSync(bin, { recursive: true });
  for (const program of programs) writeFileSync(join(bin, program), "#!/bin/sh\n", { mode: 0o755 });
  return bin;
}

const gate = "block-stop-on-own-work";
const attested = (answer: string): string => `${answer}\n\n${attestation.join("\n")}`;

for (const harness of writtenHarnesses)
  describe(harness, () => {
    test("an ending carries the attestation word for word, and a refusal prints it whole", async () => {
      session = await tellSession({ harness, declare: [gate] });
      await session.happens({ person: "do it" });
      await session.calls("git commit -am done");
      const refused = await session.stops("It is done.");
      expect(refused).toMatchObject({ verdict: "refuse", blockedHookId: gate });
      expect(refused["reason"]).toContain(attestation.join("\n"));
      await session.calls("git commit -am more");
      expect(await session.stops(attested("It is done now."))).toMatchObject({ verdict: "pass" });
    });

    test("the operator's own attestation stands in Tama's place", async () => {
      session = await tellSession({ harness, declare: [gate] });
      session.world.write("tama-home/attestation.md", "# What is attested\n\nEvery test ran here.\n");
      const refused = await session.stops(attested("It is done."));
      expect(refused["reason"]).toContain("Every test ran here.");
      await session.calls("npm test");
      expect(await session.stops("It is done. Every test\nran here.")).toMatchObject({ verdict: "pass" });
    });

    test("an order to stop is no way past a gate", async () => {
      const verdicts: unknown[] = [];
      for (const words of ["do it", "stop. stop coding now, that is an order"]) {
        const told = await tellSession({ harness, declare: ["strict"] });
        session = told;
        await told.happens({ person: words });
        await told.calls("ls", "a.ts");
        const look = await told.calls("ls");
        const ending = await told.stops("It is done. Please run it.");
        const idle = await told.stops("I stop here, as you said.");
        verdicts.push([look, ending, idle].map((one) => [one["verdict"], one["blockedHookId"]]));
        await told.close();
      }
      session = null;
      expect(verdicts[1]).toEqual(verdicts[0]);
      expect(JSON.stringify(verdicts[0])).not.toContain("pass");
    });

    test("said again without a change it is refused for that, after a change it is not", async () => {
      session = await tellSession({ harness, declare: [gate] });
      await session.stops("The suite is green and nothing is left to do.");
      await session.calls("ls");
      const again = await session.stops("The suite is **green** and nothing is left to do.");
      expect(again["reason"]).toContain("says again what an earlier refused ending said");
      await session.calls("git commit -am work");
      const after = await session.stops(attested("The suite is green and nothing is left to do."));
      expect(after).toMatchObject({ verdict: "pass" });
    });

    test("a plea needs its one command on the clipboard, since the person last wrote", async () => {
      session = await tellSession({ harness, declare: [gate], environment: { PATH: toolsWith("pbcopy", "push") } });
      await session.happens({ person: "do it" });
      const asks = attested("The push needs your key. Please run it.");
      const refused = await session.stops(asks);
      expect(refused["reason"]).toContain("asks a person to run or decide something (“Please run it.”)");
      expect(refused["reason"]).toContain("printf '%s' '<command>' | pbcopy");
      await session.calls("printf '%s' 'nosuch --now' | pbcopy");
      expect((await session.stops(asks))["reason"]).toContain("not on this machine: nosuch");
      await session.calls("printf '%s' 'push --now' | pbcopy");
      expect(await session.stops(asks)).toMatchObject({ verdict: "pass" });
      await session.happens({ person: "and the other one" });
      expect(await session.stops(asks)).toMatchObject({ verdict: "refuse" });
    });

    test("where there is no clipboard, one command in a fence stands for it", async () => {
      session = await tellSession({ harness, declare: [gate], environment: { PATH: toolsWith("push") } });
      const asks = attested("The push needs your key. Please run it.");
      expect((await session.stops(asks))["reason"]).toContain("this machine has no clipboard");
      await session.calls("git commit -am x");
      expect(await session.stops(`${asks}\n\n\`\`\`sh\npush --now\n\`\`\`\n`)).toMatchObject({ verdict: "pass" });
    });
  });
