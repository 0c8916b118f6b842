import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageBeforeCall } from "./message-before-call.ts";

test("the message before is the one whose rows a call's own follow, through all of its own, and none behind a result", () => {
  const folder = mkdtempSync(join(tmpdir(), "tama-before-"));
  try {
    const path = join(folder, "t.jsonl");
    const row = (uuid: string, parentUuid: string | null, message: string, call: string) => ({
      type: "assistant",
      uuid,
      parentUuid,
      message: { id: message, content: [{ type: "tool_use", id: call, name: "Bash", input: {} }] },
    });
    const result = {
      type: "user",
      uuid: "u5",
      parentUuid: "u4",
      message: { content: [{ type: "tool_result", tool_use_id: "toolu_4" }] },
    };
    const progress = { type: "progress", uuid: "p", parentUuid: "u4" };
    const rows = [
      row("u1", null, "msg_1", "toolu_1"),
      row("u2", "u1", "msg_1", "toolu_2"),
      row("u3", "u2", "msg_2", "toolu_3"),
      row("u4", "u3", "msg_2", "toolu_4"),
      progress,
      result,
      row("u6", "u5", "msg_3", "toolu_5"),
    ];
    writeFileSync(path, rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const found = ["toolu_1", "toolu_3", "toolu_4", "toolu_5", "toolu_6"].map((call) => messageBeforeCall(path, call));
    expect(found.map((one) => one.ok && one.value)).toEqual([null, "msg_1", "msg_1", null, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
