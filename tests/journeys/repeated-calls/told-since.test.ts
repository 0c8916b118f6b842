import { expect, test } from "bun:test";
import { startCore } from "../core-driver.ts";
import { failure, makeRepeatWorld, playSession, success } from "./played-session.ts";

// What a session had started before a call failed runs on behind it; that it has ended is a change like any other.

/** A job this session started runs on behind its calls; the wait that tells of its end says that it ran. */
const waits: readonly (readonly [harness: string, tool: string, input: object, text: string, releases: boolean])[] = [
  ["claude-code", "TaskOutput", { task_id: "b1" }, "<status>completed</status>\n<exit_code>0</exit_code>", true],
  [
    "claude-code",
    "TaskOutput",
    { task_id: "b1" },
    "<retrieval_status>success</retrieval_status>\n<status>failed</status>",
    true,
  ],
  ["claude-code", "TaskOutput", { task_id: "b1" }, "<status>running</status>\n<output>completed</output>", false],
  [
    "codex",
    "write_stdin",
    { session_id: 3, chars: "" },
    "Wall time: 2.1 seconds\nProcess exited with code 1\nOutput:\n",
    true,
  ],
  [
    "codex",
    "write_stdin",
    { session_id: 3 },
    "Wall time: 2.1 seconds\nProcess running with session ID 3\nOutput:\n",
    false,
  ],
  ["omp", "bash", { command: "tama wait --session s --for 20s -- curl -fsS localhost:1" }, "ok", true],
  ["omp", "bash", { command: "tama wait --for 20s -- curl -fsS localhost:1" }, "no change yet, send again", false],
];

for (const [harness, tool, input, text, releases] of waits) {
  test(`[full] ${harness}: ${tool} that answers ${JSON.stringify(text)} ${releases ? "releases" : "releases nothing"}`, async () => {
    const world = makeRepeatWorld("full");
    const core = await startCore(world, { harness });
    const session = playSession(core, world, "s");
    await session.answers("Read", { file_path: "dist/a.js" }, failure("File does not exist."));
    await session.runs(tool, input, success(text));
    expect(await session.asks("Read", { file_path: "dist/a.js" })).toMatchObject({
      verdict: releases ? "pass" : "refuse",
    });
    await core.close();
    world.remove();
  });
}

/** What a harness tells the session of a job's end reaches no hook, nor does a person's own command; both stand in the transcript. */
const notices: readonly (readonly [harness: string, what: string, row: (time: string) => object])[] = [
  [
    "claude-code",
    "a notice that a job ended",
    (time) => ({
      type: "user",
      uuid: "n1",
      sessionId: "s",
      timestamp: time,
      origin: { kind: "task-notification" },
      message: { role: "user", content: "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>" },
    }),
  ],
  [
    "omp",
    "a notice that a job ended",
    (time) => ({ type: "custom_message", customType: "async-result", id: "n1", timestamp: time, content: "done" }),
  ],
  [
    "claude-code",
    "a person's own command",
    (time) => ({
      type: "user",
      uuid: "n1",
      sessionId: "s",
      timestamp: time,
      origin: { kind: "human" },
      message: { role: "user", content: "<bash-input>npm run build</bash-input>" },
    }),
  ],
  [
    "claude-code",
    "what a person typed while the turn ran",
    (time) => ({
      type: "attachment",
      uuid: "n1",
      timestamp: time,
      attachment: { type: "queued_command", prompt: "I built it", origin: { kind: "human" } },
    }),
  ],
  [
    "claude-code",
    "word that somebody else changed a file",
    (time) => ({
      type: "attachment",
      uuid: "n1",
      timestamp: time,
      attachment: { type: "edited_text_file", filename: "/srv/app/a.ts", snippet: "1\tone" },
    }),
  ],
  [
    "omp",
    "a person's own command",
    (time) => ({
      type: "message",
      id: "n1",
      timestamp: time,
      message: { role: "bashExecution", command: "npm run build", output: "", exitCode: 0 },
    }),
  ],
];

for (const [harness, what, row] of notices) {
  for (const setting of ["full", "spec"] as const) {
    test(`[${setting}] ${harness}: ${what} ${setting === "full" ? "releases what failed before it" : "releases nothing"}`, async () => {
      const world = makeRepeatWorld(setting);
      const core = await startCore(world, { harness });
      const session = playSession(core, world, "s");
      const early = row(new Date(Date.now() - 60_000).toISOString());
      const transcript = world.write("transcript.jsonl", `${JSON.stringify(early)}\n`);
      const wanted = { file_path: "dist/a.js", path: "dist/a.js" };
      await session.answers("Read", wanted, failure("File does not exist."), { transcript });
      expect(await session.asks("Read", wanted, { transcript })).toMatchObject({ verdict: "refuse" });
      const late = row(new Date(Date.now() + 1000).toISOString());
      world.write("transcript.jsonl", `${JSON.stringify(early)}\n${JSON.stringify(late)}\n`);
      expect(await session.asks("Read", wanted, { transcript })).toMatchObject({
        verdict: setting === "full" ? "pass" : "refuse",
      });
      await core.close();
      world.remove();
    });
  }
}

test("a person's own command releases no unanswered call", async () => {
  const world = makeRepeatWorld("full");
  const core = await startCore(world, { harness: "omp" });
  const session = playSession(core, world, "s");
  const transcript = world.write("transcript.jsonl", "");
  await session.asks("bash", { command: "npm test" }, { transcript });
  const ran = { role: "bashExecution", command: "ls", output: "", exitCode: 0 };
  const timestamp = new Date(Date.now() + 1000).toISOString();
  world.write("transcript.jsonl", `${JSON.stringify({ type: "message", id: "n1", timestamp, message: ran })}\n`);
  const answer = await session.asks("bash", { command: "npm test" }, { transcript });
  expect(answer).toMatchObject({ verdict: "refuse", failed: { by: "unanswered" } });
  await core.close();
  world.remove();
});
