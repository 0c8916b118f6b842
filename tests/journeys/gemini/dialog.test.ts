import { afterEach, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { makeWorld, tama, type World } from "../tama-command.ts";

// What Gemini CLI 0.61.0 writes when a person says no in its dialog, seen in a terminal, played to `tama run-hook gemini`.

let world: World | null = null;
afterEach(() => world?.remove());

const call = { id: "c", name: "run_shell_command", args: { command: "touch x" } };
const denied = {
  id: "c",
  name: call.name,
  response: { error: "[Operation Cancelled] Reason: User denied execution." },
};

/** A call that the dialog asks about, the person's next message, and the same call again: what the last hook says. */
async function saidToTheSecond(record: object): Promise<unknown> {
  const made = makeWorld();
  world = made;
  const chat = made.write("chat.jsonl", '{"sessionId":"s","projectHash":"p","kind":"main"}\n');
  const write = (one: object): void => appendFileSync(chat, `${JSON.stringify(one)}\n`);
  const ask = async (hook_event_name: string, more: object): Promise<unknown> => {
    const event = { hook_event_name, session_id: "s", cwd: made.root, transcript_path: chat, ...more };
    const ended = await tama(made, ["run-hook", "gemini"], { stdin: JSON.stringify(event) });
    expect(ended.code).toBe(0);
    return JSON.parse(ended.stdout);
  };
  const before = { tool_name: call.name, tool_input: call.args };
  await ask("BeforeAgent", { prompt: "touch it" });
  write({ id: "m1", type: "gemini", content: "" });
  expect(await ask("BeforeTool", before)).toEqual({});
  write(record);
  await ask("BeforeAgent", { prompt: "do it after all" });
  write({ id: "m2", type: "gemini", content: "" });
  return await ask("BeforeTool", before);
}

test("a call that the person did not allow may be made again", async () => {
  const cancelled = { ...call, status: "cancelled", result: [{ functionResponse: denied }] };
  expect(await saidToTheSecond({ id: "m1", type: "gemini", content: "", toolCalls: [cancelled] })).toEqual({});
});

test("a call of which nothing is known is held", async () => {
  expect(await saidToTheSecond({ $set: { lastUpdated: "t" } })).toMatchObject({ decision: "deny" });
});
