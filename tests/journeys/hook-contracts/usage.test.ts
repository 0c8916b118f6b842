import { expect, test } from "bun:test";
import { makeWorld, tama } from "../tama-command.ts";

test("usage errors of every command print a usage on stderr and exit 2", async () => {
  const world = makeWorld();
  for (const line of [
    "",
    "nope",
    "hook",
    "hook a b",
    "hooks",
    "hooks nope",
    "hooks declare",
    "hooks declare --file",
    "hooks declare --preset",
    "hooks declare --file a b",
    "hooks declare --file a --preset b",
    "hooks declare --nope",
    "hooks withdraw",
    "hooks withdraw a --all",
    "hooks withdraw a b",
    "hooks declared --nope",
    "hooks declared more",
    "hooks running --nope",
    "hooks running more",
    "log --session",
    "log --nope",
    "log more",
    "why",
    "why a b",
    "why --nope a",
    "status --nope",
    "status more",
    "run-hook",
    "run-hook a b",
    "run-hook omp --nope",
  ]) {
    const ended = await tama(world, line === "" ? [] : line.split(" "), { stdin: "" });
    expect([line, ended.code, ended.stdout]).toEqual([line, 2, ""]);
    expect([line, ended.stderr.includes("usage: tama")]).toEqual([line, true]);
  }
  world.remove();
});
