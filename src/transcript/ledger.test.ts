import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Happening, writtenHarnesses, writtenTranscript } from "../../tests/cases/written-transcript.ts";
import { type Ledger, ledgerFold } from "./ledger.ts";
import { readTranscript } from "./resume.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-ledger-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ran = (command: string, text = "ok", isError = false): Happening => ({
  call: { tool: "bash", input: { command } },
  answer: { isError, text },
});

for (const harness of writtenHarnesses) {
  const after = (...story: Happening[]): Ledger => {
    const path = join(folder, `${harness}.jsonl`);
    writeFileSync(path, writtenTranscript(harness, story));
    const reading = readTranscript({ path, harness, accepted: new Set(), fold: ledgerFold, saved: null });
    if (reading.kind !== "read") throw new Error(reading.kind);
    return reading.saved.state;
  };

  describe(`${harness}: after an ending was sent back`, () => {
    const sentBack: Happening[] = [{ person: "go" }, ran("cat a"), { says: "It is done." }, { refusedStop: "not yet" }];
    const worked = (...more: Happening[]) => after(...sentBack, ...more).refusedStop?.worked;

    test("a change is work, and so is a look not made yet", () => {
      expect(worked(ran("git commit -m x"))).toBe(true);
      expect(worked(ran("cat b"))).toBe(true);
      expect(worked(ran("npm test", "1 failed\nCommand exited with code 1", true))).toBe(true);
    });

    test("a repeated look, a refused call and another answer are none", () => {
      expect(worked(ran("cat a"))).toBe(false);
      expect(worked(ran("git commit -m x", "BLOCKED: no", true))).toBe(false);
      expect(worked({ says: "It is really done." })).toBe(false);
    });

    test("a person's message ends the matter", () => {
      expect(after(...sentBack, { person: "fine" }).refusedStop).toBeNull();
    });

    test("what was said is kept until something changed", () => {
      expect(after(...sentBack, ran("cat b")).refusedEndings).toEqual(["it is done"]);
      expect(after(...sentBack, ran("git commit -m x")).refusedEndings).toEqual([]);
    });
  });

  test(`${harness}: a command that goes on behind its call is no look yet`, () => {
    // Codex puts its own header before it, which its reader's tests show.
    if (harness === "codex") return;
    const running = "Command running in background with ID: b9. Output is being written to: x";
    const behind = ran("npm test", running);
    expect(Object.keys(after(ran("npm test"), behind).looks)).toEqual([]);
  });

  test(`${harness}: an edit that found its file changed by somebody else ends all looks`, () => {
    // Codex's patches say nothing of the kind.
    if (harness === "codex") return;
    const edit = (text: string): Happening => ({
      call: { tool: "edit", input: { path: "a", old: "b", new: "c" } },
      answer: { isError: true, text },
    });
    expect(Object.keys(after(ran("cat a"), edit("File has been modified since read")).looks)).toEqual([]);
    expect(Object.keys(after(ran("cat a"), edit("Error: text not found")).looks).length).toBe(1);
  });

  test(`${harness}: a session that only looks keeps the newest thousands of its looks`, () => {
    const many = Array.from({ length: 9000 }, (_one, at) => ran(`cat f${at}`));
    const { looks, seen } = after(...many);
    expect(Object.keys(looks).length).toBe(seen);
    expect(seen).toBeLessThan(8193);
    expect(Object.keys(after(...many, { person: "and?" }).looks).length).toBe(0);
  });

  test(`${harness}: what is on the clipboard is kept until a person writes`, () => {
    expect(after(ran("echo ls | pbcopy")).clipboard).toEqual({ text: "ls\n" });
    expect(after(ran("echo ls | pbcopy"), { person: "and?" }).clipboard).toBeNull();
    expect(after(ran("./made | pbcopy")).clipboard).toEqual({ text: null });
    expect(after(ran("echo ls | pbcopy", "no display\nCommand exited with code 1", true)).clipboard).toEqual({
      text: null,
      failed: true,
    });
    expect(
      after(ran("echo ls | pbcopy"), ran("echo a | xclip", "no display\nCommand exited with code 1", true)).clipboard,
    ).toEqual({ text: "ls\n" });
  });

  test(`${harness}: a file this session wrote is known until something may have changed it`, () => {
    const wrote = ran("printf '%s' 'git push' > cmd.txt");
    const copies = ran("pbcopy < cmd.txt");
    expect(after(wrote, ran("chmod 600 cmd.txt"), copies).clipboard).toEqual({ text: "git push" });
    for (const between of [ran("./fix.sh"), ran("git checkout ."), { person: "and?" }] satisfies Happening[])
      expect(after(wrote, between, copies).clipboard).toEqual({ text: null });
    expect(after(wrote, ran("echo ' --tags' >> cmd.txt"), copies).clipboard).toEqual({ text: "git push --tags\n" });
    expect(after(wrote, ran("date >> cmd.txt"), copies).clipboard).toEqual({ text: null });
  });
}
