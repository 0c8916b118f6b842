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

test("a wrong word is named, with the one that was probably meant", async () => {
  const world = makeWorld();
  for (const [line, said] of [
    ["nope", 'tama: there is no command "nope"\n'],
    ["call", 'tama: there is no command "call"; did you mean calls?\n'],
    ["__proto__", 'tama: there is no command "__proto__"\n'],
    ["nope --help", 'tama: there is no command "nope"\n'],
    ["calls faild", 'tama calls: there is no "faild"; did you mean failed?\n'],
    ["hooks toString", 'tama hooks: there is no "toString"\n'],
    ["calls failed --sesion s", "tama calls failed: there is no --sesion; did you mean --session?\n"],
    ["status --toString", "tama status: there is no --toString\n"],
    ["hooks declare --file a --preset b", "tama hooks declare: name one of --file, --preset and a gate\n"],
    ["hooks withdraw", "tama hooks withdraw: name one hook, or --all\n"],
    ["grant once --session s --because x", "tama grant once: name one of --call and --hook\n"],
  ] as const) {
    const ended = await tama(world, line.split(" "));
    expect([line, ended.code, ended.stdout]).toEqual([line, 2, ""]);
    expect(ended.stderr).toStartWith(said);
    expect(ended.stderr).toContain("usage: tama");
  }
  world.remove();
});

test("what a caller said cannot move a terminal when it is quoted back", async () => {
  const world = makeWorld();
  for (const words of [
    ["calls", "retry", "\u001b[2J", "--session", "s", "--because", "x"],
    ["hooks", "withdraw", "\u001b[2J"],
    ["calls", "failed", "--session", "s", "\u009b2J"],
    ["\u001b[2J"],
  ]) {
    const { stderr } = await tama(world, words);
    expect(stderr).toMatch(/\^\[\[2J|\\u009b2J|\\u001b\[2J/);
    expect(stderr).not.toMatch(/[\u001b\u009b]/);
  }
  world.remove();
});

test("each command and each group of them tells its usage when asked, on stdout", async () => {
  const world = makeWorld();
  const whole = await tama(world, ["--help"]);
  const commands = whole.stdout.split("\n").flatMap((line) => /^ {2}(\S+(?: \S+)*) {2,}\S/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(15);
  const groups = new Set(commands.flatMap((words) => (words.includes(" ") ? [words.split(" ")[0] ?? ""] : [])));
  for (const words of [...commands, ...groups]) {
    const asked = await tama(world, [...words.split(" "), "--help"]);
    expect([words, asked.code, asked.stderr]).toEqual([words, 0, ""]);
    expect(asked.stdout).toStartWith(`usage: tama ${words}`);
    expect(await tama(world, ["help", ...words.split(" ")])).toEqual(asked);
  }
  world.remove();
});
