import { afterEach, expect, test } from "bun:test";
import { makeWorld, tama, type World } from "../tama-command.ts";

let world: World | null = null;
afterEach(() => {
  world?.remove();
  world = null;
});

async function scriptFor(shell: string): Promise<string> {
  world = makeWorld();
  const ended = await tama(world, ["completions", shell]);
  expect(ended.code).toBe(0);
  return world.write(`tama.${shell}`, ended.stdout);
}

/** What a real bash offers behind a line, as its own completion machinery would ask. */
function offeredByBash(script: string, line: readonly string[]): readonly string[] {
  const words = line.map((word) => `'${word}'`).join(" ");
  const body = `source '${script}'; COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _tama; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ended = Bun.spawnSync(["bash", "--norc", "-c", body]);
  expect(ended.stderr.toString()).toBe("");
  return ended.stdout.toString().trimEnd().split("\n");
}

test("bash offers commands, verbs and flags from the tree", async () => {
  const script = await scriptFor("bash");
  expect(offeredByBash(script, ["tama", "inst"])).toEqual(["install"]);
  expect(offeredByBash(script, ["tama", "calls", ""])).toEqual(["failed", "retry"]);
  expect(offeredByBash(script, ["tama", "calls", "retry", "0123456789abcdef", "--b"])).toEqual(["--because"]);
  expect(offeredByBash(script, ["tama", "grant", "once", "--"])).toEqual([
    "--session",
    "--call",
    "--hook",
    "--because",
    "--help",
  ]);
  expect(offeredByBash(script, ["tama", "completions", "f"])).toEqual(["fish"]);
  expect(offeredByBash(script, ["tama", "install", "--plan", "co"])).toEqual(["codex"]);
  expect(offeredByBash(script, ["tama", "install", "ge"])).toEqual(["gemini"]);
  expect(offeredByBash(script, ["tama", "hooks", "declare", "block-w"])).toEqual(["block-wait-polling"]);
  expect(offeredByBash(script, ["tama", "owned"])).toEqual([""]);
});

for (const shell of ["zsh", "fish"]) {
  const here = Bun.which(shell);
  test.skipIf(here === null)(
    `${shell} takes its script${here === null ? ` (skipped: there is no ${shell})` : ""}`,
    async () => {
      const script = await scriptFor(shell);
      const ended = Bun.spawnSync([here ?? shell, "-n", script]);
      expect(ended.stderr.toString()).toBe("");
      expect(ended.exitCode).toBe(0);
    },
  );
}

test("an unknown shell is named with those there are", async () => {
  world = makeWorld();
  const ended = await tama(world, ["completions", "tcsh"]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toBe('completions: there is no "tcsh"; there are bash, zsh, fish\n');
});
