import { expect, test } from "bun:test";
import { basename, join, normalize } from "node:path";
import { sessionFileName } from "./names.ts";

const scale = Math.max(1, Number(process.env["TAMA_TEST_SCALE"] ?? "20"));

test("plain ids are their own names", () => {
  for (const id of ["0198c2f4-7d1e-7c3a-9b1f-2f6d1f3f9a11", "a.b_C-9", "x."]) expect(sessionFileName(id)).toBe(id);
  expect(sessionFileName("s", "agent-1")).toBe("s~agent-1");
});

test("everything else is percent-encoded, a leading dot too", () => {
  expect(sessionFileName("a/b")).toBe("a%2Fb");
  expect(sessionFileName("..")).toBe("%2E.");
  expect(sessionFileName("a%2Fb")).toBe("a%252Fb");
  expect(sessionFileName("ż~ \n")).toBe("%C5%BC%7E%20%0A");
  expect(sessionFileName("a~b")).not.toBe(sessionFileName("a", "b"));
});

test("hostile ids: no two share a name, and each is one name inside its folder", () => {
  const seed = Number(process.env["TAMA_TEST_SEED"] ?? 1 + Math.floor(Math.random() * 1e9));
  console.log(`hostile ids, seed ${seed}`);
  const owners = hostileOwners(seed, Math.ceil(5000 / scale));
  const names = new Map<string, string>();
  for (const [session, agentId] of owners) {
    const key = JSON.stringify([session, agentId]);
    const name = sessionFileName(session, agentId);
    const other = names.get(name);
    expect([name, other ?? key]).toEqual([name, key]);
    names.set(name, key);
    expect(name).toMatch(/^[A-Za-z0-9_%~-][A-Za-z0-9._%~-]*$/);
    expect(name.length).toBeLessThanOrEqual(200);
    const path = join("/home/log", `${name}.json`);
    expect([normalize(path), basename(path)]).toEqual([path, `${name}.json`]);
  }
});

/** Traversals, control characters, twins in case and in Unicode, lone surrogates, long ones that differ only at their end. */
function hostileOwners(seed: number, count: number): readonly (readonly [string, string | null])[] {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * limit);
  };
  const parts = [
    "..",
    "/",
    "\\",
    "\u0000",
    "%",
    "%2F",
    "~",
    "~~",
    ".",
    "a",
    "A",
    "null",
    " ",
    "é",
    "e\u0301",
    "\ud800",
    "\udc00",
    "\ufffd",
    "😀",
    "\n",
    "-",
    "x".repeat(150),
    "y".repeat(65536),
  ];
  const make = (): string => Array.from({ length: 1 + below(5) }, () => parts[below(parts.length)] ?? "").join("");
  return Array.from({ length: count }, () => [make(), below(2) === 0 ? null : make()] as const);
}

test("long ids are cut and told apart by the whole", () => {
  const long = "z".repeat(64 * 1024);
  const names = [
    sessionFileName(long),
    sessionFileName(`${long}a`),
    sessionFileName(long, "a"),
    sessionFileName(`${long}~a`),
  ];
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/~~[0-9a-f]{64}$/);
  // A cut inside an escape leaves no half of one.
  for (let at = 100; at < 130; at++)
    expect(sessionFileName(`${"z".repeat(at)}${"ż".repeat(50)}`)).not.toMatch(/%[0-9A-F]?~~/);
});
