import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { type HookedCore, pass, refuses, startHooked } from "./hooked-core.ts";

/** Tama's own hook contract (contract 4): only exit 0 with a valid answer passes. */
let hooked: HookedCore;
beforeAll(async () => {
  hooked = await startHooked("tama", "omp", {
    ANTHROPIC_API_KEY: "k",
    BUN_OPTIONS: "",
    NODE_OPTIONS: "",
    KEPT_FOR_HOOKS: "yes",
  });
});
afterAll(() => hooked.close());

const silent =
  "BLOCKED: guard refused this and gave no reason. What it checks is in its declaration: tama hooks declared";

describe("what passes", () => {
  for (const [body, more] of [
    ["exit 0", {}],
    ["echo", {}],
    ["echo '{}'", {}],
    [`printf '\\n  {"context": "look here"}\\n\\n'`, { context: "look here" }],
    [`echo '{"context":"a","notes":"b","more":1}'`, { context: "a", notes: "b" }],
    ["echo working >&2", {}],
  ] as const) {
    test(body, async () => {
      const answer = await hooked.tries(body);
      expect(answer).toMatchObject({ ...pass, ...more, hooks: [{ hook: "guard", verdict: "pass" }] });
      expect(Object.hasOwn(answer, "context")).toBe(Object.hasOwn(more, "context"));
    });
  }
});

describe("what refuses", () => {
  for (const [body, reason] of [
    ["echo 'not on a Friday' >&2; exit 2", "not on a Friday"],
    ["printf 'first\\nsecond\\n' >&2; exit 2", "first\nsecond"],
    ["exit 2", silent],
    ["echo '{}'; exit 2", silent],
    [`echo '{"decision":"block","reason":"no"}'`, "no"],
    [`echo '{"decision":"block"}'`, silent],
    [`echo '{"decision":"block","reason":" "}'`, silent],
    [`printf 'a\\033[2Jb\\007' >&2; exit 2`, "a^[[2Jb^G"],
  ] as const) {
    test(body, async () => {
      const answer = await hooked.tries(body);
      expect(answer).toMatchObject({ ...refuses(reason), hooks: [{ hook: "guard", verdict: "refuse" }] });
      expect(answer["infrastructure"]).toBeUndefined();
    });
  }
});

describe("what judged nothing, and so refuses as infrastructure", () => {
  for (const [body, cause] of [
    ["echo 'TAMA_HOOK_INFRASTRUCTURE: guard: the ledger is locked' >&2; exit 70", "the ledger is locked"],
    ["echo 'the ledger is locked' >&2; exit 70", "the ledger is locked"],
    ["exit 70", "exit 70 without a cause"],
    ["exit 1", "exit 1, where only 0, 2 and 70 are answers"],
    ["echo oops >&2; exit 3", "exit 3, where only 0, 2 and 70 are answers: oops"],
    ["exit 255", "exit 255, where only 0, 2 and 70 are answers"],
    ["no-such-program-here", /^exit 127, where only 0, 2 and 70 are answers: /],
    ["kill -KILL $$", "ended by SIGKILL"],
    ["kill -TERM $$", "ended by SIGTERM"],
    ["kill -SEGV $$", "ended by SIGSEGV"],
    ["echo hello", "exit 0 with an answer that is no JSON object of its contract: hello"],
    [`echo '{"decision":"block"'`, /^exit 0 with an answer that is no JSON object of its contract: /],
    [`echo '{"decision":"approve"}'`, /^exit 0 with an answer that is no JSON object of its contract: /],
    [`echo '{"context":7}'`, /^exit 0 with an answer that is no JSON object of its contract: /],
    ["echo '{}{}'", /^exit 0 with an answer that is no JSON object of its contract: /],
    ["echo '[]'", /^exit 0 with an answer that is no JSON object of its contract: /],
    [`echo '"x"'`, /^exit 0 with an answer that is no JSON object of its contract: /],
    ["head -c 2000000 /dev/zero", /^wrote more than 1048576 bytes on stdout/],
  ] as const) {
    test(body, async () => {
      const answer = await hooked.tries(body);
      expect(answer).toMatchObject({ ok: true, verdict: "refuse", infrastructure: true, blockedHookId: "guard" });
      expect(answer["hooks"]).toMatchObject([{ hook: "guard", verdict: "infrastructure" }]);
      const first = String(answer["reason"]).split("\n")[0] ?? "";
      expect(first).toStartWith("TAMA_HOOK_INFRASTRUCTURE: guard: ");
      const said = first.slice("TAMA_HOOK_INFRASTRUCTURE: guard: ".length);
      if (typeof cause === "string") expect(said).toBe(cause);
      else expect(said).toMatch(cause);
      expect(String(answer["reason"])).toContain("tama hooks withdraw guard");
    });
  }

  test("a program that is gone, and one that may not be started", async () => {
    const program = `${hooked.world.root}/guard`;
    const text = readFileSync(program, "utf8");
    chmodSync(program, 0o600);
    expect(await hooked.tries("exit 0")).toMatchObject({ infrastructure: true, blockedHookId: "guard" });
    rmSync(program);
    const gone = await hooked.tries("exit 0");
    expect(gone).toMatchObject({ infrastructure: true, blockedHookId: "guard" });
    expect(String(gone["reason"])).toContain(program);
    hooked.world.write("guard", text, 0o755);
    expect(await hooked.tries("exit 0")).toMatchObject(pass);
  });
});

test("the event comes whole on stdin, with who asks", async () => {
  const seen = `${hooked.world.root}/seen.json`;
  const payload = { tool: "bash", input: { command: "ls\u2028 é" }, cwd: hooked.world.root, purpose: "look", new: [1] };
  const id = "dispatch \u2028 0";
  hooked.world.write("body", `cat > ${seen}`);
  expect(await hooked.core.dispatch("tool_call", payload, id)).toMatchObject(pass);
  expect(JSON.parse(readFileSync(seen, "utf8"))).toEqual({
    ...payload,
    event: "tool_call",
    tama: { dispatch: id, hook: "guard", home: hooked.world.home, harness: "omp" },
  });
});

test("a hook that never reads its stdin decides all the same, however long the event", async () => {
  const input = { content: "x".repeat(5_000_000) };
  expect(await hooked.tries("echo no >&2; exit 2", "tool_call", { input })).toMatchObject(refuses("no"));
  expect(await hooked.tries("exit 0", "tool_call", { input })).toMatchObject(pass);
});

test("a hook gets the environment without what could take it over, and the event's folder where there is one", async () => {
  const seen = `${hooked.world.root}/environment`;
  await hooked.tries(`env > ${seen}; pwd >> ${seen}`, "tool_call", { cwd: "/usr" });
  const lines = readFileSync(seen, "utf8").split("\n");
  const names = lines.map((line) => line.split("=")[0]);
  expect(lines).toContain("KEPT_FOR_HOOKS=yes");
  expect(lines).toContain(`TAMA_HOME=${hooked.world.home}`);
  expect(lines).toContain("/usr");
  for (const name of ["ANTHROPIC_API_KEY", "BUN_OPTIONS", "NODE_OPTIONS"]) expect(names).not.toContain(name);
  expect(await hooked.tries("exit 0", "tool_call", { cwd: "/no/such/folder" })).toMatchObject(pass);
});

test("every event reaches a hook that is declared for it", async () => {
  for (const event of ["session_start", "input", "tool_call", "tool_result", "stop", "compact", "session_end"])
    expect([event, (await hooked.tries("echo no >&2; exit 2", event))["verdict"]]).toEqual([event, "refuse"]);
  expect(await hooked.tries("exit 2", "before_provider")).toMatchObject(pass);
});
