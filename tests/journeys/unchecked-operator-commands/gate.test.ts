import { afterEach, describe, expect, test } from "bun:test";
import { appendFileSync, statSync } from "node:fs";
import { writtenHarnesses } from "../../cases/written-transcript.ts";
import { tama } from "../tama-command.ts";
import { type ToldSession, tellSession } from "../told-session.ts";

/** A command handed over is one already run (spec: conduct gates), declared and driven through the built core. */
let session: ToldSession | null = null;
afterEach(async () => {
  await session?.close();
  session = null;
});

const fence = (line: string, language = "sh"): string =>
  `It is ready. To ship it:\n\n\`\`\`${language}\n${line}\n\`\`\`\n`;
const gate = "block-unchecked-operator-commands";

for (const harness of writtenHarnesses)
  describe(harness, () => {
    test("a command nobody ran is refused by name, and passes once the session ran it", async () => {
      session = await tellSession({ harness, declare: [gate] });
      await session.happens({ person: "make it ready" });
      await session.calls("npm run build");
      const refused = await session.stops(fence("npm run build && npm run deploy -- --to <host>"));
      expect(refused).toMatchObject({ verdict: "refuse", blockedHookId: gate });
      expect(refused["reason"]).toStartWith(
        "BLOCKED: block-unchecked-operator-commands: this answer hands over commands this session never ran itself:\n  npm run deploy -- --to <host>\n",
      );
      await session.calls("cd web && npm run deploy -- --to box-1", "no rights\nCommand exited with code 1", true);
      expect(await session.stops(fence("npm run deploy -- --to <host>"))).toMatchObject({ verdict: "pass" });
      expect(await session.stops(fence("fn main() {}", "rust"))).toMatchObject({ verdict: "pass" });
      const why = await tama(session.world, ["why", String(refused["refusal"])]);
      expect(why.stdout).toContain("npm run deploy -- --to <host>");
    });

    test("a transcript that cannot be read refuses, naming the line", async () => {
      session = await tellSession({ harness, declare: [gate] });
      await session.calls("npm run build");
      const byte = statSync(session.transcript).size;
      appendFileSync(session.transcript, "\u0000\u0000\n");
      const stop = { session: "s", cwd: session.world.root, transcript: session.transcript };
      const refused = await session.core.dispatch("stop", { ...stop, answer: fence("npm run build") });
      expect(refused["reason"]).toContain(`the line starting at byte ${byte} is not a JSON record`);
      expect(refused["reason"]).toContain(`tama transcript accept ${byte} --session s`);
      expect(await session.core.dispatch("stop", { ...stop, answer: "Nothing to run." })).toMatchObject({
        verdict: "pass",
      });
    });
  });
