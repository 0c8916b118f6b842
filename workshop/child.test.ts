import { expect, test } from "bun:test";
import { runChild } from "./child.ts";

const shell = (script: string, limit = 60_000): Promise<Awaited<ReturnType<typeof runChild>>> =>
  runChild({ command: ["sh", "-c", script], cwd: "/", limit });

test("tells an exit code from a signal", async () => {
  expect(await shell("exit 3")).toMatchObject({ code: 3, signal: null, overran: false });
  expect(await shell("kill -9 $$")).toMatchObject({ code: null, signal: "SIGKILL", overran: false });
});

test("a child left in the group does not hold the run, nor does one that left it", async () => {
  expect((await shell("sleep 300 & echo said")).output).toBe("said\n");
  const hasLeft = 'while [ "$(ps -o sid= -p $! | tr -d " ")" != $! ]; do :; done';
  const left = await shell(`setsid sleep 20 & ${hasLeft}; echo $!`);
  expect(left.ms).toBeLessThan(15_000);
  process.kill(Number(left.output), "SIGKILL");
});

test("a program past its limit is ended", async () => {
  expect(await shell("trap '' TERM; sleep 300; sleep 300", 100)).toMatchObject({ overran: true, signal: "SIGKILL" });
});
