import { expect, test } from "bun:test";
import { startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tama } from "../tama-command.ts";

/** Several hooks of one event: all run at once, the answer is folded in the order they were declared (contract 3.2, 3.3). */
const bodies = {
  slowNo: "sleep 0.2; echo 'slow no' >&2; exit 2",
  quickNo: "printf 'quick no\\nof two lines' >&2; exit 2",
  yes: `echo '{"context":"c1","notes":"n1"}'`,
  yesToo: `echo '{"context":"c2"}'`,
  broken: "echo 'it broke' >&2; exit 9",
  brokenToo: "kill -9 $$",
} as const;

const call = { tool: "bash", input: { command: "x" } };

async function folded(
  names: readonly (keyof typeof bodies)[],
  payload: object = call,
): Promise<Record<string, unknown>> {
  const world = makeWorld();
  for (const name of names)
    await declareHook(world, { id: name.toLowerCase(), command: [world.script(name, bodies[name])] });
  const core = await startCore(world);
  const answer = await core.dispatch("tool_call", payload);
  await core.close();
  world.remove();
  return answer;
}

test("the first refusing hook in declaration order blocks, whichever was quicker, and every reason stands, a blank line apart", async () => {
  const answer = await folded(["yes", "slowNo", "quickNo", "yesToo"]);
  expect(answer).toMatchObject({
    verdict: "refuse",
    blockedHookId: "slowno",
    reason: "slow no\n\nquick no\nof two lines",
    hooks: [
      { hook: "yes", verdict: "pass" },
      { hook: "slowno", verdict: "refuse" },
      { hook: "quickno", verdict: "refuse" },
      { hook: "yestoo", verdict: "pass" },
    ],
  });
  expect(answer["context"]).toBeUndefined();
});

test("all passing: contexts and notes are joined in order", async () => {
  const answer = await folded(["yesToo", "yes"]);
  expect(answer).toMatchObject({ verdict: "pass", context: "c2\n\nc1", notes: "n1" });
});

test("infrastructure stands only when no hook refused on its own", async () => {
  const both = await folded(["quickNo", "broken"]);
  expect(both["infrastructure"]).toBeUndefined();
  expect(both).toMatchObject({
    blockedHookId: "quickno",
    hooks: [{ verdict: "refuse" }, { verdict: "infrastructure" }],
  });
  expect(String(both["reason"])).toStartWith("quick no\nof two lines\n\nTAMA_HOOK_INFRASTRUCTURE: broken: exit 9");
  const turned = await folded(["broken", "quickNo"]);
  expect(turned["infrastructure"]).toBeUndefined();
  expect(String(turned["reason"])).toEndWith("\n\nquick no\nof two lines");
  const none = await folded(["yes", "broken", "brokenToo"]);
  expect(none).toMatchObject({ infrastructure: true, blockedHookId: "broken" });
  expect(String(none["reason"])).toContain("\n\nTAMA_HOOK_INFRASTRUCTURE: brokentoo: ended by SIGKILL");
});

test("each hook's own time is told, and hooks run side by side", async () => {
  const world = makeWorld();
  // Each ends only when all four have begun: one after another, none ever would.
  const all = [1, 2, 3, 4].map((at) => `"${world.root}/begun-${at}"`);
  const wait = `while ! { ${all.map((file) => `[ -e ${file} ]`).join(" && ")}; }; do sleep 0.05; done; sleep 0.3`;
  for (const at of [1, 2, 3, 4])
    await declareHook(world, { id: `h${at}`, command: [world.script(`h${at}`, `: > ${all[at - 1]}; ${wait}`)] });
  const core = await startCore(world);
  const answer = await core.dispatch("tool_call", call);
  expect(answer["verdict"]).toBe("pass");
  const times = (answer["hooks"] as { ms: number }[]).map((hook) => hook.ms);
  expect(times.every((ms) => ms >= 300)).toBe(true);
  await core.close();
  world.remove();
});

test("a declaration reaches the tools, kinds, agents and harness it names, and no others", async () => {
  const world = makeWorld();
  const no = world.script("no", "exit 2");
  for (const [id, on] of [
    ["by-name", [{ event: "tool_call", tools: ["BASH"] }]],
    ["by-kind", [{ event: "tool_call", tools: ["kind:write"] }]],
    ["by-agent", [{ event: "tool_call", tools: ["read"], agent: "sub" }]],
    ["by-harness", [{ event: "tool_call", tools: ["grep"], harness: "codex" }]],
    ["at-stop", [{ event: "stop" }]],
    ["at-any-stop", [{ event: "stop", agent: "both" }]],
  ] as const)
    await declareHook(world, { id, command: [no], on });
  const core = await startCore(world);
  const blocked = async (event: string, payload: object): Promise<unknown> =>
    (await core.dispatch(event, payload))["blockedHookId"] ?? null;
  const tool = (name: string, more: object = {}): Promise<unknown> =>
    blocked("tool_call", { tool: name, input: {}, ...more });
  expect(await tool("bash")).toBe("by-name");
  expect(await tool("Bash")).toBe("by-name");
  expect(await tool("edit")).toBe("by-kind");
  expect(await tool("mcp__x", { kind: "write" })).toBe("by-kind");
  expect(await tool("read")).toBeNull();
  expect(await tool("read", { agent: "sub" })).toBe("by-agent");
  expect(await tool("read", { agentId: "a" })).toBe("by-agent");
  expect(await tool("grep")).toBeNull();
  expect(await tool("bashful")).toBeNull();
  expect(await blocked("stop", { answer: "" })).toBe("at-stop");
  expect(await blocked("stop", { answer: "", agent: "sub" })).toBe("at-any-stop");
  expect(await blocked("tool_result", { tool: "bash", input: {}, isError: false, text: "" })).toBeNull();
  await core.close();
  world.remove();
});

test("`tama log` and `tama why` tell a refusal: what, why, evidence, and each hook's time", async () => {
  const world = makeWorld();
  await declareHook(world, { id: "says-yes", command: [world.script("yes", "exit 0")] });
  await declareHook(world, { id: "says-no", command: [world.script("no", "echo 'not with this token' >&2; exit 2")] });
  const core = await startCore(world);
  const refused = await core.dispatch("tool_call", { ...call, session: "s 1" });
  const held = await core.dispatch("tool_call", { ...call, session: "s 1" });
  await core.dispatch("input", { session: "s 1", text: "hi" });
  await core.close();

  const log = await tama(world, ["log", "--session", "s 1"]);
  expect(log).toMatchObject({ code: 0, stderr: "" });
  expect(log.stdout.split("\n").slice(0, -1)).toEqual([
    expect.stringMatching(new RegExp(`^\\d{4}-\\S+Z  s 1  tool_call bash  refuse  says-no  ${refused["refusal"]}  x$`)),
    expect.stringMatching(new RegExp(`^\\d{4}-\\S+Z  s 1  tool_call bash  refuse  repeat  ${held["refusal"]}  x$`)),
    expect.stringMatching(/^\d{4}-\S+Z {2}s 1 {2}input {2}pass$/),
  ] as unknown as string[]);
  const json = (await tama(world, ["log", "--json"])).stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);
  expect(json).toHaveLength(3);
  expect(json[0]).toMatchObject({
    session: "s 1",
    verdict: "refuse",
    blockedHookId: "says-no",
    reason: "not with this token",
  });

  const why = await tama(world, ["why", String(refused["refusal"])]);
  expect(why).toMatchObject({ code: 0, stderr: "" });
  expect(why.stdout).toContain("tool_call of bash refused by says-no");
  expect(why.stdout).toContain("not with this token");
  expect(why.stdout).toMatch(/says-yes {2}pass {2}[\d.]+ ms/);
  expect(why.stdout).toMatch(/says-no {2}refuse {2}[\d.]+ ms/);
  const whyHeld = await tama(world, ["why", String(held["refusal"])]);
  for (const part of [
    "what",
    "why",
    "instead",
    "evidence",
    "before any hook",
    "this session's same call was refused at",
    "not with this token",
  ])
    expect(whyHeld.stdout).toContain(part);
  expect(await tama(world, ["why", "r-nothing000"])).toMatchObject({
    code: 1,
    stderr: 'why: no log knows a refusal "r-nothing000"; `tama log` lists them\n',
  });

  const status = await tama(world, ["status"]);
  expect(status.code).toBe(0);
  expect(status.stdout).toContain("declared: says-yes, says-no");
  expect(status.stdout).toMatch(/omp {2}s 1 {2}2 calls, 2 refused/);
  const statusJson = JSON.parse((await tama(world, ["status", "--json"])).stdout) as object;
  expect(statusJson).toMatchObject({ declared: ["says-yes", "says-no"], problems: [], running: 0, orphaned: 0 });
  world.remove();
});
