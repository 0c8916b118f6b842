import { describe, expect, test } from "bun:test";
import type { Entry } from "../transcript/entry.ts";
import { openEventOrder } from "./event-order.ts";

const place = { at: 0, time: null, id: null } as const;

function call(id: string, command: string, message: string | null = "m1", tool = "Bash"): Entry {
  const calls = [{ id, tool, input: { command, file_path: command }, directory: null }];
  return { ...place, kind: "answer", text: "", calls, message, stopReason: null, errorMessage: null };
}

function result(id: string): Entry {
  return { ...place, kind: "result", call: id, text: "ok", isError: false, details: undefined, nested: null };
}

const person: Entry = { ...place, kind: "person", text: "go on", command: null };

/** What comes out, each call and result by its id and a person's message as `person`. */
function order(format: "claude-code" | "codex" | "omp", ...entries: readonly Entry[]): string {
  const order = openEventOrder(format);
  return [...entries.flatMap((entry) => order.take(entry)), ...order.end()].map(inWords).join(" ");
}

function inWords(entry: Entry): string {
  if (entry.kind === "answer") return entry.calls.map(({ id }) => id).join("+");
  return entry.kind === "result" ? `=${entry.call}` : entry.kind;
}

describe("Claude Code", () => {
  const change = call("a", "git config user.name ann");
  const look = call("b", "git status");
  test("a call behind a change of its own message is asked when that has its result", () => {
    expect(order("claude-code", change, look, result("a"), result("b"))).toBe("a =a b =b");
  });
  test("three of them come one after another", () => {
    const third = call("c", "npm run build");
    expect(order("claude-code", change, third, look, result("a"), result("c"), result("b"))).toBe("a =a c =c b =b");
  });
  test("a file's change counts as well", () => {
    const write = call("a", "/w/a", "m1", "Write");
    expect(order("claude-code", write, look, result("a"), result("b"))).toBe("a =a b =b");
  });
  test("looks run together", () => {
    expect(order("claude-code", look, call("c", "git diff"), result("b"), result("c"))).toBe("b c =b =c");
  });
  test("a result that comes first tells of a version that ran them together", () => {
    expect(order("claude-code", change, look, result("b"), result("a"))).toBe("a b =b =a");
  });
  test("another message, a person and the file's end let everything go", () => {
    expect(order("claude-code", change, look, call("d", "ls", "m2"))).toBe("a b d");
    expect(order("claude-code", change, look, person)).toBe("a b person");
    expect(order("claude-code", change, look)).toBe("a b");
    expect(order("claude-code", call("a", "rm x", null), call("b", "ls", null))).toBe("a b");
  });
});

describe("Codex", () => {
  test("the calls between two results are one message's", () => {
    const order = openEventOrder("codex");
    const seen = [call("a", "ls", null), call("b", "ls", null), result("a"), result("b"), call("c", "ls", null)]
      .flatMap((entry) => order.take(entry))
      .flatMap((entry) => (entry.kind === "answer" ? [entry.message] : []));
    expect(seen[0]).not.toBeNull();
    expect(seen[1]).toBe(seen[0] ?? "");
    expect(seen[2]).not.toBe(seen[0] ?? "");
  });
});

test("another harness's entries come as they stand", () => {
  expect(order("omp", call("a", "rm x"), call("b", "ls"), result("a"), result("b"))).toBe("a b =a =b");
});
