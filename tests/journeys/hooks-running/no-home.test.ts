import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeWorld, tama } from "../tama-command.ts";

/** What somebody sees who has just put the binary on PATH: nothing is broken, and looking makes nothing. */
test("before anything ran, looking finds nothing, breaks nothing and makes nothing", async () => {
  const world = makeWorld();
  for (const words of [["status"], ["hooks", "running"], ["hooks", "running", "--end-orphans"], ["hooks", "declared"]])
    expect(await tama(world, words)).toMatchObject({ code: 0, stderr: "" });
  expect((await tama(world, ["log"])).stdout).toBe("nothing is logged yet\n");
  expect((await tama(world, ["log", "--session", "s"])).stdout).toBe("nothing is logged of session s\n");
  expect(await tama(world, ["log", "--json"])).toMatchObject({ code: 0, stdout: "" });
  const running = await tama(world, ["hooks", "running", "--json"]);
  expect(JSON.parse(running.stdout)).toMatchObject({ hooks: [], errors: [] });
  expect((await tama(world, ["status"])).stdout).not.toContain("problem");
  expect(existsSync(world.home)).toBe(false);
  world.remove();
});

test("with an empty HOME the home is the user's own, never the folder it is started in", async () => {
  const world = makeWorld();
  const own = Bun.spawnSync(["sh", "-c", 'getent passwd "$(id -u)" | cut -d: -f6']).stdout.toString().trim();
  const status = await tama(world, ["status", "--json"], { environment: { HOME: "", TAMA_HOME: "" } });
  expect(JSON.parse(status.stdout)).toMatchObject({ home: join(own, ".tama") });
  world.remove();
});
