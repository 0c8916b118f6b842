import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callIdentity, canonicalJson, parseCallId } from "./identity.ts";

describe("canonical JSON (RFC 8785)", () => {
  const known: readonly (readonly [unknown, string])[] = [
    [null, "null"],
    [{ b: 1, a: [true, "x"] }, '{"a":[true,"x"],"b":1}'],
    // The numbers of the RFC's appendix B that JSON can hold.
    [
      [JSON.parse("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27, -0, 1e21, 5e-324],
      "[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,5e-324]",
    ],
    // The RFC's sort example: UTF-16 units decide, not code points.
    [
      { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    ],
    ['\u000f\n"\\/€', '"\\u000f\\n\\"\\\\/€"'],
    [{ a: undefined, b: [undefined], c: () => 1 }, '{"b":[null],"c":null}'],
    [JSON.parse('{"__proto__":{"x":1},"a":2}'), '{"__proto__":{"x":1},"a":2}'],
  ];
  for (const [value, text] of known) test(text, () => expect(canonicalJson(value)).toBe(text));

  test("the order of keys says nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))),
    );
  });

  test("what is written parses back to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("a value a hundred thousand deep still has a form", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
  });

  test("a value inside itself ends", () => {
    const value: Record<string, unknown> = { a: 1 };
    value["self"] = value;
    expect(canonicalJson(value)).toBe('{"a":1,"self":null}');
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });
});

describe("the identity of a call", () => {
  const line = { command: "go test ./..." };
  const id = callIdentity("omp", "bash", "/srv/app", line);

  test("is the first 16 digits of the sha256 of tool, directory and arguments", () => {
    const text = '{"arguments":{"command":"go test ./..."},"directory":"/srv/app","tool":"bash"}';
    expect(String(id)).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16));
    expect(parseCallId(id)).toBe(id);
    expect(parseCallId("xyz")).toBeNull();
    expect(parseCallId(id.toUpperCase().replace(/^\d/, "A"))).toBeNull();
  });

  test("does not change with commentary", () => {
    const same: readonly (readonly [string, string, object, object])[] = [
      ["omp", "bash", line, { ...line, i: "run the tests" }],
      ["omp", "read", { path: "a" }, { path: "a", i: "js prelude" }],
      ["omp", "edit", { input: "[a#1]" }, { input: "[a#1]", path: "a", paths: ["a"], i: "x" }],
      ["claude-code", "Bash", line, { ...line, description: "verify" }],
      ["claude-code", "Agent", { prompt: "p" }, { prompt: "p", description: "d" }],
      ["codex", "Bash", line, { ...line, justification: "j", yield_time_ms: 1, max_output_tokens: 2 }],
      ["codex", "exec_command", { cmd: "ls" }, { cmd: "ls", yield_time_ms: 10_000 }],
      ["gemini", "run_shell_command", line, { ...line, description: "d" }],
    ];
    for (const [harness, tool, a, b] of same) {
      expect(callIdentity(harness, tool, null, a)).toBe(callIdentity(harness, tool, null, b));
    }
  });

  test("changes with everything else", () => {
    const other: readonly (readonly [string, string, string | null, unknown])[] = [
      ["omp", "bash", "/srv/web", line],
      ["omp", "bash", null, line],
      ["omp", "Bash", "/srv/app", line],
      ["omp", "bash", "/srv/app", { command: "go test ./... " }],
      ["omp", "bash", "/srv/app", { ...line, description: "no commentary in OMP" }],
      ["omp", "bash", "/srv/app", { ...line, timeout: 5 }],
      ["claude-code", "bash", "/srv/app", { ...line, i: "no commentary in Claude Code" }],
    ];
    for (const call of other) expect(callIdentity(...call)).not.toBe(id);
    expect(callIdentity("claude-code", "WebFetch", null, { description: "a" })).not.toBe(
      callIdentity("claude-code", "WebFetch", null, {}),
    );
    // In OMP's replace mode the path is the model's own word.
    expect(callIdentity("omp", "edit", null, { path: "a", old_string: "x" })).not.toBe(
      callIdentity("omp", "edit", null, { path: "b", old_string: "x" }),
    );
  });

  test("exists for any input", () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), (tool, input) => {
        expect(parseCallId(callIdentity("omp", tool, null, input))).not.toBeNull();
      }),
    );
    for (const input of [null, "x", [1], undefined])
      expect(callIdentity("codex", "bash", null, input)).toMatch(/^[0-9a-f]{16}$/);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

test("a call has one identity however often it is named, and it is the one of its canonical JSON", () => {
  const inputs = [
    undefined,
    null,
    7,
    "ls",
    ["a"],
    {},
    { command: "ls", description: "list" },
    { b: 1, a: { d: [2], c: null } },
  ];
  for (const input of inputs)
    for (const directory of [null, "/srv/ä\u2028"]) {
      const asked = typeof input === "object" && input !== null && "command" in input ? { command: "ls" } : input;
      const text = canonicalJson({ tool: "Bash", directory, arguments: asked });
      const identity = new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);
      for (let time = 0; time < 2; time++) {
        expect<string>(callIdentity("claude-code", "Bash", directory, input)).toBe(identity);
        expect<string>(callIdentity("claude-code", "bash", directory, input)).not.toBe(identity);
      }
    }
  const input = { command: "ls", description: "list" };
  expect(callIdentity("claude-code", "Bash", null, input)).not.toBe(callIdentity("claude-code", "Other", null, input));
  expect(callIdentity("claude-code", "Bash", null, input)).not.toBe(callIdentity("omp", "Bash", null, input));
});
