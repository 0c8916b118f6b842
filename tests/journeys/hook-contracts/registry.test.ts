import { describe, expect, test } from "bun:test";
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tama } from "../tama-command.ts";

/** Nothing fails open (contract 3.4): a registry, a home or a session record that breaks under a running session. */
describe("what is needed to decide and cannot be had refuses", () => {
  const call = { session: "s", tool: "bash", input: { command: "x" } };

  for (const [name, text] of [
    ["torn", '{"declared":['],
    ["empty", ""],
    ["of another shape", '{"declared":{}}'],
    ["a list", "[]"],
    ["with a hook that does not fit", '{"declared":[{"id":"x"}]}'],
  ] as const) {
    test(`a registry that is ${name} refuses every event, and a repair lets it go on`, async () => {
      const world = makeWorld();
      await declareHook(world, { id: "yes", command: ["/bin/true"] });
      const good = readFileSync(`${world.home}/registry.json`);
      const core = await startCore(world);
      writeFileSync(`${world.home}/registry.json`, text);
      for (const payload of [call, { ...call, session: null }]) {
        const refused = await core.dispatch("tool_call", payload);
        expect(refused).toMatchObject({
          verdict: "refuse",
          infrastructure: true,
          blockedHookId: "registry",
          hooks: [],
        });
        expect(String(refused["reason"])).toStartWith(
          `TAMA_HOOK_INFRASTRUCTURE: cannot decode ${world.home}/registry.json: `,
        );
      }
      const listed = await tama(world, ["hooks", "declared"]);
      expect(listed).toMatchObject({ code: 1, stdout: "" });
      expect(listed.stderr).toContain(`cannot decode ${world.home}/registry.json`);
      const status = await tama(world, ["status"]);
      expect(status.code).toBe(1);
      expect(status.stdout).toContain("declared: cannot be told, so every call is refused");
      const fresh = await startCore(world);
      expect(fresh.ready["catalog"]).toBe("unreadable");
      await fresh.close();
      writeFileSync(`${world.home}/registry.json`, good);
      expect(await core.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
      await core.close();
      world.remove();
    });
  }

  test("a registry that is gone refuses the sessions that ran under hooks, and not a new one", async () => {
    const world = makeWorld();
    await declareHook(world, { id: "yes", command: ["/bin/true"] });
    const core = await startCore(world);
    await core.dispatch("tool_call", call);
    rmSync(`${world.home}/registry.json`);
    for (const payload of [call, { ...call, agentId: "a" }]) {
      const refused = await core.dispatch("tool_call", payload);
      expect(refused).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "registry" });
      expect(String(refused["reason"])).toStartWith("TAMA_HOOK_INFRASTRUCTURE: registry.json is gone\n");
      expect(String(refused["reason"])).toContain("yes");
    }
    expect(await core.dispatch("tool_call", { ...call, session: "new" })).toMatchObject({ verdict: "pass" });
    await core.close();
    const next = await startCore(world);
    expect(await next.dispatch("tool_call", call)).toMatchObject({ infrastructure: true });
    await next.close();
    world.remove();
  });

  test("a stop is refused once for such a fault, and let through when it comes back, with the cause said", async () => {
    const world = makeWorld();
    await declareHook(world, { id: "yes", command: ["/bin/true"] });
    const core = await startCore(world);
    await core.dispatch("tool_call", call);
    const stop = (stopHookActive: boolean) => core.dispatch("stop", { session: "s", answer: "done", stopHookActive });
    for (const breakIt of [
      () => writeFileSync(`${world.home}/registry.json`, "{"),
      () => rmSync(`${world.home}/registry.json`),
    ]) {
      breakIt();
      expect(await stop(false)).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "registry" });
      const again = await stop(true);
      expect(again).toMatchObject({ verdict: "pass", hooks: [] });
      expect(String(again["notes"])).toContain("TAMA_HOOK_INFRASTRUCTURE: ");
    }
    await core.close();
    world.remove();
  });

  test("a result that comes while the registry is gone still settles its call", async () => {
    const world = makeWorld();
    await declareHook(world, { id: "yes", command: ["/bin/true"] });
    const core = await startCore(world);
    await core.dispatch("tool_call", { ...call, call: "c1", message: 1 });
    const good = readFileSync(`${world.home}/registry.json`);
    rmSync(`${world.home}/registry.json`);
    await core.dispatch("tool_result", { ...call, call: "c1", isError: false, text: "ok" });
    writeFileSync(`${world.home}/registry.json`, good);
    expect(await core.dispatch("tool_call", { ...call, call: "c2", message: 2 })).toMatchObject({ verdict: "pass" });
    await core.close();
    world.remove();
  });

  test("a home where no birth can be recorded refuses every call that a hook is declared for", async () => {
    const world = makeWorld();
    await declareHook(world, { id: "yes", command: ["/bin/true"], on: [{ event: "tool_call", tools: ["bash"] }] });
    rmSync(`${world.home}/in-flight`, { recursive: true, force: true });
    writeFileSync(`${world.home}/in-flight`, "in the way");
    const core = await startCore(world);
    const refused = await core.dispatch("tool_call", call);
    expect(refused).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "yes" });
    expect(String(refused["reason"])).toContain(`${world.home}/in-flight`);
    expect(await core.dispatch("tool_call", { ...call, tool: "read" })).toMatchObject({ verdict: "pass" });
    await core.close();
    world.remove();
  });

  test("a home that is a link, no folder or another user's refuses what a hook is declared for, with a way out that works", async () => {
    const spoils: readonly (readonly [string, (home: string) => void])[] = [
      ["is a symbolic link", linkedElsewhere],
      ["is no folder", replacedByFile],
      ...(process.getuid?.() === 0
        ? ([["belongs to another user", (home: string) => chownSync(home, 54321, 54321)]] as const)
        : []),
    ];
    for (const [says, spoil] of spoils) {
      const world = makeWorld();
      await declareHook(world, { id: "yes", command: ["/bin/true"], on: [{ event: "tool_call", tools: ["bash"] }] });
      spoil(world.home);
      const core = await startCore(world);
      const refused = await core.dispatch("tool_call", call);
      expect(refused).toMatchObject({ verdict: "refuse", infrastructure: true });
      const reason = String(refused["reason"]);
      expect(reason).toContain(`cannot use TAMA_HOME ${world.home}: ${world.home} ${says}`);
      if (says !== "is no folder")
        expect(await core.dispatch("tool_call", { ...call, tool: "read" })).toMatchObject({ verdict: "pass" });
      const way = reason.slice(reason.indexOf("moves it aside: ") + "moves it aside: ".length);
      expect(Bun.spawnSync(["sh", "-c", way]).exitCode).toBe(0);
      await core.close();
      const next = await startCore(world);
      expect(await next.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
      expect(next.stderr()).toBe("");
      await next.close();
      world.remove();
    }
  });

  test("a session record that cannot be read refuses where the registry is gone, and only there", async () => {
    const world = makeWorld();
    mkdirSync(`${world.home}/sessions/s.json`, { recursive: true });
    const core = await startCore(world);
    expect(await core.dispatch("tool_call", call)).toMatchObject({ infrastructure: true });
    expect(await core.dispatch("tool_call", { ...call, session: "t" })).toMatchObject({ verdict: "pass" });
    await declareHook(world, { id: "yes", command: ["/bin/true"] });
    expect(await core.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
    await core.close();
    world.remove();
  });
});

function linkedElsewhere(home: string): void {
  renameSync(home, `${home}-real`);
  symlinkSync(`${home}-real`, home);
}

function replacedByFile(home: string): void {
  rmSync(home, { recursive: true });
  writeFileSync(home, "in the way");
}
