import { expect, test } from "bun:test";
import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tamaBinary } from "../tama-command.ts";

// A core lives as long as its session; an upgrade in the meantime must not hand its hooks to another release's supervisor.

test("a core goes on with its own release when its file is replaced, and when it is gone", async () => {
  const world = makeWorld();
  const copy = join(world.root, "tama");
  copyFileSync(tamaBinary, copy);
  await declareHook(world, { id: "deny", command: [world.script("deny.sh", "echo no >&2; exit 2")] });
  const core = await startCore(world, { under: ["/bin/sh", "-c", `shift; exec ${copy} "$@"`, "sh"] });
  const ask = () => core.dispatch("tool_call", { tool: "bash", input: { command: "ls" } });

  renameSync(world.script("other", "exit 1"), copy);
  expect(await ask()).toMatchObject({ verdict: "refuse", blockedHookId: "deny", reason: "no" });
  renameSync(copy, join(world.root, "moved"));
  expect(await ask()).toMatchObject({ verdict: "refuse", blockedHookId: "deny", reason: "no" });

  await core.close();
  world.remove();
});
