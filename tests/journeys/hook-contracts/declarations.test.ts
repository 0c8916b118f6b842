import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tama, type World } from "../tama-command.ts";

/** Declarations and the registry they stand in (contract 4, 5). */
const fitting = {
  id: "guard",
  discipline: "mine",
  says: "guards it",
  on: [{ event: "tool_call", tools: ["*"] }],
  program: { command: ["/bin/true"] },
};

async function declared(world: World, text: string): Promise<{ code: number | null; stderr: string; stdout: string }> {
  return await tama(world, ["hooks", "declare", "--file", world.write("d.json", text)]);
}

describe("a declaration that does not fit is refused naming the field, and nothing is declared", () => {
  const world = makeWorld();
  for (const [name, change, cause] of [
    ["no id", { id: undefined }, "declaration.id: missing"],
    ["an id in capitals", { id: "Guard" }, /declaration\.id: .*lower-case/],
    ["an id that is a path", { id: "../guard" }, /declaration\.id: /],
    ["no says", { says: undefined }, "declaration.says: missing"],
    ["an empty says", { says: "" }, /declaration\.says: /],
    ["no on", { on: undefined }, "declaration.on: missing"],
    ["an empty on", { on: [] }, /declaration\.on: /],
    ["an unknown event", { on: [{ event: "tool" }] }, /declaration\.on\.0\.event: /],
    ["tools that are no list", { on: [{ event: "tool_call", tools: "*" }] }, /declaration\.on\.0\.tools: /],
    ["an empty list of tools", { on: [{ event: "tool_call", tools: [] }] }, /declaration\.on\.0\.tools: /],
    ["an unknown agent", { on: [{ event: "stop", agent: "all" }] }, /declaration\.on\.0\.agent: /],
    ["a misspelt key of on", { on: [{ event: "stop", tool: ["x"] }] }, "declaration.on.0.tool: no such field"],
    ["a misspelt key", { harness: "omp" }, "declaration.harness: no such field"],
    ["no program", { program: undefined }, "declaration.program: missing"],
    ["a name of Tama's own", { id: "repeat" }, "declaration.id: repeat is a part of Tama itself; choose another"],
    ["a misspelt kind", { on: [{ event: "tool_call", tools: ["kind:shel"] }] }, /^declaration\.on\.0\.tools: .*"shel"/],
    [
      "a harness there is not",
      { on: [{ event: "stop" }, { event: "stop", harness: "claude" }] },
      /^declaration\.on\.1\.harness: there is no harness "claude"; there are omp, claude-code, /,
    ],
    ["a gate there is not", { program: { gate: "toString" } }, /^declaration\.program\.gate: .*no gate "toString"/],
    ["a folder as program", { program: { command: ["/"] } }, "declaration.program.command: / is no file"],
    ["a program that is not there", { program: { command: ["/no/such"] } }, /there is no \/no\/such$/],
    ["a program that may not be started", { program: { command: ["./d.json"] } }, /d\.json may not be started/],
    ["a zero byte", { program: { command: ["/bin/true", "a\0"] } }, "declaration.program.command: holds a zero byte"],
    ["an empty command", { program: { command: [] } }, /declaration\.program/],
    ["a command that is a line", { program: { command: "/bin/true" } }, /declaration\.program/],
    ["an unknown contract", { program: { command: ["/bin/true"], contract: "codex" } }, /declaration\.program/],
    ["a gate and a command", { program: { command: ["/bin/true"], gate: "x" } }, /declaration\.program/],
    [
      "a relative program that is not there",
      { program: { command: ["./nothing.sh"] } },
      `declaration.program.command: there is no ${world.root}/nothing.sh`,
    ],
    [
      "a claude-code script before a provider request",
      { on: [{ event: "before_provider" }], program: { command: ["/bin/true"], contract: "claude-code" } },
      "declaration.on: the claude-code contract has no event before_provider",
    ],
  ] as const) {
    test(name, async () => {
      const ended = await declared(world, JSON.stringify({ ...fitting, ...change }));
      expect([ended.code, ended.stdout]).toEqual([1, ""]);
      const said = ended.stderr.replace(`hooks declare: ${world.root}/d.json: `, "").trim();
      if (typeof cause === "string") expect(said).toBe(cause);
      else expect(said).toMatch(cause);
    });
  }

  for (const [name, text, cause] of [
    ["no JSON", "{\n  bad", "d.json:2:3 is no JSON"],
    ["a list", "[]", "declaration"],
    ["nothing", "", "is no JSON"],
  ] as const) {
    test(name, async () => {
      const ended = await declared(world, text);
      expect(ended).toMatchObject({ code: 1, stdout: "" });
      expect(ended.stderr).toContain(cause);
    });
  }

  test("a file that is not there", async () => {
    const ended = await tama(world, ["hooks", "declare", "--file", "absent.json"]);
    expect(ended).toMatchObject({
      code: 1,
      stderr: `hooks declare: cannot read ${world.root}/absent.json: there is no such file\n`,
    });
  });

  test("after all that nothing is declared", async () => {
    const ended = await tama(world, ["hooks", "declared", "--json"]);
    expect((JSON.parse(ended.stdout) as { declared: unknown[] }).declared).toEqual([]);
    expect((await tama(world, ["hooks", "declared"])).stdout).toStartWith("nothing is declared");
  });
});

test("a program named relative to its declaration is stored absolute and runs from anywhere", async () => {
  const world = makeWorld();
  world.script("mine/guard.sh", 'echo "no, $1" >&2; exit 2');
  world.write("mine/guard.json", JSON.stringify({ ...fitting, program: { command: ["./guard.sh", "--strict"] } }));
  const ended = await tama(world, ["hooks", "declare", "--file", "guard.json"], { cwd: `${world.root}/mine` });
  expect(ended).toMatchObject({ code: 0, stdout: "declared guard: guards it\n", stderr: "" });
  const registry = JSON.parse(readFileSync(`${world.home}/registry.json`, "utf8")) as { declared: object[] };
  expect(registry).toEqual({
    declared: [
      {
        ...fitting,
        program: { command: [`${world.root}/mine/guard.sh`, "--strict"] },
        file: `${world.root}/mine/guard.json`,
        at: expect.stringMatching(/Z$/) as unknown as string,
      },
    ],
  });
  const core = await startCore(world, { cwd: "/" });
  expect(await core.dispatch("tool_call", { tool: "x", input: 1 })).toMatchObject({ reason: "no, --strict" });
  await core.close();
  world.remove();
});

test("declared again a hook keeps its place with the new words; withdrawn it is gone", async () => {
  const world = makeWorld();
  const ids = async (): Promise<unknown[]> => {
    const { stdout } = await tama(world, ["hooks", "declared", "--json"]);
    return (JSON.parse(stdout) as { declared: { id: string; program: { command: string[] } }[] }).declared.map(
      (one) => [one.id, one.program.command[0]],
    );
  };
  for (const id of ["a", "b", "c"]) await declareHook(world, { id, command: ["/bin/true"] });
  const core = await startCore(world);
  const before = core.ready["catalog"];
  await declareHook(world, { id: "b", command: ["/bin/false"] });
  expect(await ids()).toEqual([
    ["a", "/bin/true"],
    ["b", "/bin/false"],
    ["c", "/bin/true"],
  ]);
  expect(await core.dispatch("tool_call", { tool: "x", input: 1 })).toMatchObject({
    blockedHookId: "b",
    infrastructure: true,
  });
  expect((await core.request("hooks/declared"))["answer"]).not.toMatchObject({ catalog: before });
  expect(await tama(world, ["hooks", "withdraw", "b"])).toMatchObject({ code: 0, stdout: "withdrew b\n" });
  expect(await core.dispatch("tool_call", { tool: "x", input: 1 })).toMatchObject({ verdict: "pass" });
  expect(await tama(world, ["hooks", "withdraw", "b"])).toMatchObject({
    code: 1,
    stderr: "hooks withdraw: no hook b is declared; `tama hooks declared` lists them\n",
  });
  expect(await tama(world, ["hooks", "withdraw", "--all"])).toMatchObject({
    code: 0,
    stdout: "withdrew a\nwithdrew c\n",
  });
  expect(await tama(world, ["hooks", "withdraw", "--all"])).toMatchObject({
    code: 0,
    stdout: "nothing was declared\n",
  });
  await core.close();
  world.remove();
});

test("the same declarations make the same catalog, wherever their files stand", async () => {
  const catalogs = [];
  for (const name of ["one.json", "other/two.json"]) {
    const world = makeWorld();
    await tama(world, ["hooks", "declare", "--file", world.write(name, JSON.stringify(fitting))]);
    const { stdout } = await tama(world, ["hooks", "declared", "--json"]);
    catalogs.push((JSON.parse(stdout) as { catalog: string }).catalog);
    world.remove();
  }
  expect(catalogs[0]).toBe(catalogs[1] ?? "");
});

test("`tama hooks declared` prints which tools of which harness each entry reaches", async () => {
  const world = makeWorld();
  await declareHook(world, {
    id: "guard",
    command: ["/bin/true", "-x"],
    on: [{ event: "tool_call", tools: ["kind:shell", "my_tool"], harness: "omp" }, { event: "stop" }],
  });
  const { stdout } = await tama(world, ["hooks", "declared"]);
  expect(stdout).toContain("guard  the hook guard of a test\n  /bin/true -x  (");
  expect(stdout).toMatch(/tool_call +both +omp: bash, my_tool/);
  expect(stdout).toMatch(/stop +main +every harness: no tool/);
  const json = JSON.parse((await tama(world, ["hooks", "declared", "--json"])).stdout) as {
    declared: { reaches: object[] }[];
  };
  expect(json.declared[0]?.reaches).toMatchObject([
    { event: "tool_call", agent: "both", harness: "omp", tools: ["bash", "my_tool"] },
    { event: "stop", agent: "main", tools: ["no tool"] },
  ]);
  const core = await startCore(world);
  expect((await core.request("hooks/declared"))["answer"]).toEqual(json);
  await core.close();
  world.remove();
});

test("unknown presets and gates are refused, naming what there is", async () => {
  const world = makeWorld();
  const preset = await tama(world, ["hooks", "declare", "--preset", "everything"]);
  expect(preset).toMatchObject({ code: 1, stdout: "" });
  expect(preset.stderr).toStartWith('hooks declare: there is no preset "everything"; there are standalone, strict');
  const gate = await tama(world, ["hooks", "declare", "no-such-gate"]);
  expect(gate).toMatchObject({ code: 1, stdout: "" });
  expect(gate.stderr).toContain('Tama carries no gate "no-such-gate"');
  world.remove();
});
