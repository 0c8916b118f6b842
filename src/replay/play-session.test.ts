import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Happening, writtenTranscript } from "../../tests/cases/written-transcript.ts";
import { systemClock } from "../base/clock.ts";
import { gatesAsked, replayedGates } from "./gates-asked.ts";
import { playSession } from "./play-session.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-replay-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function refusalsIn(text: string, harness = "claude-code"): Promise<readonly string[]> {
  const path = join(folder, "s.jsonl");
  writeFileSync(path, text);
  const gates = await gatesAsked(replayedGates);
  const sources = { tamaHome: folder, userHome: folder, cwd: folder, environment: {}, clock: systemClock };
  const { refusals } = await playSession({ path, harness, gates, sources, onRead: () => {} });
  return refusals.map((one) => `${one.gate} ${one.judgement}`);
}

const played = (...story: Happening[]) => refusalsIn(writtenTranscript("claude-code", story));
const read = (answer: { isError: boolean; text: string } | null): Happening => ({
  call: { tool: "read", input: { path: "a.md" } },
  answer,
});
const failing: Happening = {
  call: { tool: "bash", input: { command: "npm test" } },
  answer: { isError: true, text: "Exit code 1\nboom" },
};

test("a read that a compaction cut off may be asked again; a command may not", async () => {
  const got = { isError: false, text: "hello" };
  expect(await played(read(null), { compact: "so far" }, read(got))).toEqual([]);
  expect(await played(read(null), { person: "go on" }, read(got))).toEqual(["repeat wrong"]);
  const command: Happening = { call: { tool: "bash", input: { command: "npm test" } }, answer: null };
  expect(await played(command, { compact: "so far" }, failing)).toEqual(["repeat wrong"]);
});

test("an edit that found its file changed by somebody else releases what failed before", async () => {
  const edit = (text: string): Happening => ({
    call: { tool: "edit", input: { path: "a.md", old: "b", new: "c" } },
    answer: { isError: true, text },
  });
  expect(await played(failing, edit("String to replace not found in file."), failing)).toEqual(["repeat right"]);
  expect(await played(failing, edit("File has been modified since read, by a linter."), failing)).toEqual([]);
});

test("a call behind a change of its own message is asked once that was made", async () => {
  const fix: Happening = {
    call: { tool: "bash", input: { command: "npm ci" } },
    answer: { isError: false, text: "ok" },
  };
  expect(await played(failing, { batch: [fix, failing] })).toEqual([]);
  const look: Happening = { call: { tool: "bash", input: { command: "ls" } }, answer: { isError: false, text: "a" } };
  expect(await played(failing, { batch: [look, failing] })).toEqual(["repeat right"]);
});

test("Codex: what failed beside a change of the same answer may be sent once more, and a script that runs may be asked again", async () => {
  const item = (payload: object) => `${JSON.stringify({ type: "response_item", payload })}\n`;
  const call = (id: string, name: string, args: object) =>
    item({ type: "function_call", call_id: id, name, arguments: JSON.stringify(args) });
  const shell = (id: string, cmd: string) => call(id, "exec_command", { cmd });
  const said = (id: string, output: string) => item({ type: "function_call_output", call_id: id, output });
  const lint = "Process exited with code 2\nOutput:\nno such file";
  const beside = [shell("a", "npm run build"), shell("b", "npm run lint"), said("a", "Process exited with code 0\n")];
  expect(
    await refusalsIn([...beside, said("b", lint), shell("c", "npm run lint"), said("c", lint)].join(""), "codex"),
  ).toEqual([]);
  const alone = [shell("b", "npm run lint"), said("b", lint), shell("c", "npm run lint"), said("c", lint)];
  expect(await refusalsIn(alone.join(""), "codex")).toEqual(["repeat right"]);
  const waits = ["a", "b"].flatMap((id) => [
    call(id, "wait", { cell_id: "8" }),
    said(id, "Script running with cell ID 8\nWall time 11.0 seconds\nOutput:\n"),
  ]);
  expect(await refusalsIn(waits.join(""), "codex")).toEqual([]);
});

test("a result written before its own call answers it", async () => {
  const lines = writtenTranscript("claude-code", [failing, failing]).split("\n");
  const at = lines.findIndex((line) => line.includes('"tool_result"'));
  const swapped = lines.with(at, lines[at - 1] ?? "").with(at - 1, lines[at] ?? "");
  expect(await refusalsIn(swapped.join("\n"))).toEqual(["repeat right"]);
});

test("an answer directly behind one whose calls nobody answered was asked for anew, so its calls are no repeats", async () => {
  const row = (id: string, parentUuid: string | null, message: object, type = "assistant") =>
    JSON.stringify({ type, uuid: id, parentUuid, sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z", message });
  const call = (message: string, id: string) => ({
    role: "assistant",
    id: message,
    content: [{ type: "tool_use", id, name: "Read", input: { file_path: "/a.md" } }],
  });
  const person = (text: string) => ({ role: "user", content: text });
  const first = [row("u1", null, person("look"), "user"), row("u2", "u1", call("m1", "c1"))];
  expect(await refusalsIn([...first, row("u3", "u2", call("m2", "c2")), ""].join("\n"))).toEqual([]);
  const goneOn = [row("u3", "u2", person("go on"), "user"), row("u4", "u3", call("m2", "c2"))];
  expect(await refusalsIn([...first, ...goneOn, ""].join("\n"))).toEqual(["repeat undecided"]);
});
