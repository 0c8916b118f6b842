import { expect, test } from "bun:test";
import { runCommand } from "./run-command.ts";

const run = (script: string) =>
  runCommand({ command: ["/bin/sh", "-c", script], environment: { PATH: "/bin:/usr/bin" } });

test("output, errors and exit code are told apart", async () => {
  expect(await run("echo out; echo err >&2; exit 3")).toEqual({
    ok: true,
    value: { code: 3, stdout: "out\n", stderr: "err\n" },
  });
});

test("a signal has no exit code", async () => {
  expect(await run("kill -9 $$")).toMatchObject({ ok: true, value: { code: null } });
});

test("the program sees the end of its input", async () => {
  expect(await run("cat; echo end")).toMatchObject({ value: { stdout: "end\n" } });
});

test("a flood is cut, not kept", async () => {
  const ended = await run("head -c 3000000 /dev/zero");
  expect(ended.ok && ended.value.stdout.length).toBe(1024 * 1024);
});

test("a program that is not there is a failure that names it", async () => {
  expect(await runCommand({ command: ["/nowhere/tool"], environment: {} })).toEqual({
    ok: false,
    cause: "cannot start /nowhere/tool: ENOENT",
  });
});

test("past its limit it is ended with all it started", async () => {
  const request = { command: ["/bin/sh", "-c", "echo begun; sleep 600 | cat"], environment: { PATH: "/bin:/usr/bin" } };
  expect(await runCommand(request, 100)).toMatchObject({ ok: true, value: { code: null, stdout: "begun\n" } });
});
