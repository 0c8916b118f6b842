import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";

/**
 * Follows each printed way out literally: takes the command out of the refusal's own text, runs it in a shell with `tama` on PATH, and
 * sees the refused call pass. Only words in angle brackets, which a person fills in, are filled in.
 */
const bash = { cwd: "/srv", tool: "bash", input: { command: "make deploy" } };
const fails = { isError: true, text: "make: *** No rule\nCommand exited with code 2" };

async function inWorld(
  play: (core: DrivenCore, world: World) => Promise<void>,
  prepare = async (_world: World) => {},
): Promise<void> {
  const world = makeWorld();
  await prepare(world);
  const core = await startCore(world);
  try {
    await play(core, world);
  } finally {
    await core.close();
    world.remove();
  }
}

/** The one command of the refusal that begins so, as far as the sentence goes on in words and not in the command. */
function printedCommand(refused: Frame, begins: string): string {
  const reason = String(refused["reason"]);
  const from = reason.indexOf(begins);
  expect(from).toBeGreaterThanOrEqual(0);
  const rest = reason.slice(from).split("\n")[0] ?? "";
  return (
    /^((?:'(?:[^']|'\\'')*'|"[^"]*"|[^\s'")]+|\s(?! ))+?)\.?(?=\)|\.\s|\.?$| \(|, )/.exec(rest)?.[1] ?? rest
  ).trim();
}

async function runPrinted(world: World, line: string): Promise<void> {
  const child = Bun.spawn(["/bin/sh", "-c", line], {
    cwd: world.root,
    env: { ...world.environment, PATH: `${dirname(tamaBinary)}:/usr/bin:/bin` },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([line, child.exitCode, stderr]).toEqual([line, 0, ""]);
}

for (const [name, owner] of [
  ["a session", { session: "s-1" }],
  ["a subagent", { session: "s-1", agentId: "agent_7" }],
  ["ids a shell would take apart", { session: 'it\'s a $HOME `x` "q"', agentId: "b&c;d" }],
  ["ids that look like flags", { session: "--because", agentId: "-x" }],
] as const) {
  test(`the repeat hold of ${name}: the printed retry lets the call run`, () =>
    inWorld(async (core, world) => {
      await core.dispatch("tool_result", { ...owner, ...bash, ...fails });
      const held = await core.dispatch("tool_call", { ...owner, ...bash });
      expect(held).toMatchObject({ blockedHookId: "repeat" });
      const line = printedCommand(held, "tama calls retry ");
      expect(line).toEndWith(' --because "<what changed>"');
      await runPrinted(world, line.replace("<what changed>", "the rule is there now"));
      expect(await core.dispatch("tool_call", { ...owner, ...bash })).toMatchObject({ verdict: "pass" });
    }));
}

test("the repeat hold: a successful write, and any call that changes something, let the call run", () =>
  inWorld(async (core) => {
    const owner = { session: "s" };
    for (const change of [
      { tool: "write", input: { path: "a", content: "" } },
      { tool: "bash", input: { command: "mkdir a" } },
    ]) {
      await core.dispatch("tool_result", { ...owner, ...bash, ...fails });
      const held = await core.dispatch("tool_call", { ...owner, ...bash });
      expect(String(held["reason"])).toContain(
        "a successful write or edit, or any call that changes something, releases it",
      );
      await core.dispatch("tool_result", { ...owner, cwd: "/srv", ...change, isError: false, text: "" });
      expect(await core.dispatch("tool_call", { ...owner, ...bash, call: "c" })).toMatchObject({ verdict: "pass" });
      await core.dispatch("tool_result", { ...owner, ...bash, isError: false, text: "", call: "c" });
    }
  }));

test("under the spec's list the repeat hold promises a write or edit only, and not any change", () =>
  inWorld(
    async (core) => {
      await core.dispatch("tool_result", { session: "s", ...bash, ...fails });
      const held = String((await core.dispatch("tool_call", { session: "s", ...bash }))["reason"]);
      expect(held).toContain("a successful write or edit releases it");
      expect(held).not.toContain("any call that changes something");
    },
    async (world) => void world.write("tama-home/settings.json", '{"repeat":"spec"}'),
  ));

test("a hook that judges nothing: the printed withdraw lets calls run", () =>
  inWorld(
    async (core, world) => {
      const refused = await core.dispatch("tool_call", { session: "s", ...bash });
      expect(refused).toMatchObject({ infrastructure: true, blockedHookId: "broken" });
      await runPrinted(world, printedCommand(refused, "tama hooks withdraw "));
      expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ verdict: "pass" });
    },
    (world) => declareHook(world, { id: "broken", command: [world.script("broken", "exit 1")] }),
  ));

test("a registry that is gone: declaring again, or withdrawing all, lets calls run", async () => {
  for (const way of ["declare", "withdraw"]) {
    await inWorld(
      async (core, world) => {
        await core.dispatch("tool_call", { session: "s", ...bash, call: "c1", message: 1 });
        await core.dispatch("tool_result", { session: "s", ...bash, call: "c1", isError: false, text: "" });
        rmSync(`${world.home}/registry.json`);
        const refused = await core.dispatch("tool_call", { session: "s", ...bash });
        expect(refused).toMatchObject({ infrastructure: true, blockedHookId: "registry" });
        const line =
          way === "withdraw"
            ? printedCommand(refused, "tama hooks withdraw ")
            : printedCommand(refused, "tama hooks declare ").replace(
                "<declaration>",
                `${world.root}/declarations/guard.json`,
              );
        await runPrinted(world, line);
        expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ verdict: "pass" });
      },
      (world) => declareHook(world, { id: "guard", command: ["/bin/true"] }),
    );
  }
});

for (const [name, record] of [
  ["kept calls", "failed-calls/s.json"],
  ["started calls", "started-calls/s.json"],
] as const) {
  test(`${name} that cannot be decoded: the printed move lets calls run`, () =>
    inWorld(async (core, world) => {
      writeFileSync(`${world.home}/${record}`, "{ torn");
      const refused = await core.dispatch("tool_call", { session: "s", ...bash });
      expect(refused).toMatchObject({ infrastructure: true, blockedHookId: "repeat" });
      await runPrinted(world, printedCommand(refused, "mv "));
      expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ verdict: "pass" });
    }));
}

test("a registry that cannot be decoded: the printed move and declaring again let calls run", async () => {
  for (const begins of ["tama hooks declare ", "tama hooks withdraw "]) {
    await inWorld(
      async (core, world) => {
        await core.dispatch("tool_call", { session: "s", ...bash, call: "c1", message: 1 });
        await core.dispatch("tool_result", { session: "s", ...bash, call: "c1", isError: false, text: "" });
        writeFileSync(`${world.home}/registry.json`, "{ torn");
        const refused = await core.dispatch("tool_call", { session: "s", ...bash });
        expect(refused).toMatchObject({ infrastructure: true, blockedHookId: "registry" });
        await runPrinted(world, printedCommand(refused, "mv "));
        expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ infrastructure: true });
        const line = printedCommand(refused, begins);
        await runPrinted(world, line.replace("<declaration>", `${world.root}/declarations/guard.json`));
        expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ verdict: "pass" });
      },
      (world) => declareHook(world, { id: "guard", command: ["/bin/true"] }),
    );
  }
});

test("a session record that cannot be read while the registry is gone: the printed move lets calls run", () =>
  inWorld(async (core, world) => {
    mkdirSync(`${world.home}/sessions/s.json`);
    const refused = await core.dispatch("tool_call", { session: "s", ...bash });
    expect(refused).toMatchObject({ infrastructure: true, blockedHookId: "registry" });
    await runPrinted(world, printedCommand(refused, "mv "));
    expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ verdict: "pass" });
  }));

test("Oko's register that cannot be decoded: the printed move lets the call be judged as before", () =>
  inWorld(async (core, world) => {
    await core.dispatch("tool_result", { session: "s", ...bash, ...fails });
    const register = `${world.root}/.oko/defects.json`;
    mkdirSync(dirname(register));
    writeFileSync(register, "{");
    const refused = await core.dispatch("tool_call", { session: "s", ...bash });
    expect(String(refused["reason"])).toStartWith(
      `TAMA_HOOK_INFRASTRUCTURE: the repeat gate cannot decode Oko's register ${register}: `,
    );
    await runPrinted(world, printedCommand(refused, "mv "));
    expect(await core.dispatch("tool_call", { session: "s", ...bash })).toMatchObject({ blockedHookId: "repeat" });
  }));

test("the sentences of `tama calls` name commands that work", () =>
  inWorld(async (core, world) => {
    await core.dispatch("tool_result", { session: "a b", ...bash, ...fails });
    const unknown = await tama(world, ["calls", "retry", "nope", "--session", "a b", "--because", "x"]);
    expect(unknown.code).toBe(1);
    const line = /`(tama calls failed [^`]+)`/.exec(unknown.stderr)?.[1];
    await runPrinted(world, String(line));
  }));

test("the refusal's id is explained by the printed log", () =>
  inWorld(async (core, world) => {
    await core.dispatch("tool_result", { session: "s", ...bash, ...fails });
    const held = await core.dispatch("tool_call", { session: "s", ...bash });
    await runPrinted(world, `tama why ${held["refusal"]}`);
    const missing = await tama(world, ["why", "r-0"]);
    await runPrinted(world, String(/`(tama log)`/.exec(missing.stderr)?.[1]));
  }));
