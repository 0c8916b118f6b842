import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOfCall } from "./message-of-call.ts";

test("the message is the one whose row holds the call itself, not a row that only names it", () => {
  const folder = mkdtempSync(join(tmpdir(), "tama-message-"));
  try {
    const path = join(folder, "t.jsonl");
    const row = (id: string, call: string) => ({
      type: "assistant",
      message: { id, content: [{ type: "tool_use", id: call, name: "Bash", input: {} }] },
    });
    const result = { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "toolu_1" }] } };
    const rows = [row("msg_1", "toolu_1"), row("msg_1", "toolu_2"), result, row("msg_2", "toolu_3"), null];
    writeFileSync(path, rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const found = ["toolu_1", "toolu_2", "toolu_3", "toolu_4", "toolu"].map((call) => messageOfCall(path, call));
    expect(found.map((one) => one.ok && one.value)).toEqual(["msg_1", "msg_1", "msg_2", null, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
