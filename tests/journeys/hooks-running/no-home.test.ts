import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { makeWorld, tama } from "../tama-command.ts";

/** What somebody sees who has just put the binary on PATH: nothing is broken, and looking makes nothing. */
test("before anything ran, looking finds nothing, breaks nothing and makes nothing", async () => {
  const world = makeWorld();
  for (const words of [["status"], ["hooks", "running"], ["hooks", "running", "--end-orphans"], ["hooks", "declared"]])
    expect(await tama(world, words)).toMatchObject({ code: 0, stderr: "" });
  const running = await tama(world, ["hooks", "running", "--json"]);
  expect(JSON.parse(running.stdout)).toMatchObject({ hooks: [], errors: [] });
  expect((await tama(world, ["status"])).stdout).not.toContain("problem");
  expect(existsSync(world.home)).toBe(false);
  world.remove();
});
