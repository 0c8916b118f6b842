import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type CommandEnd, makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";

let world: World | null = null;
afterEach(() => {
  world?.remove();
  world = null;
});

/** A world that has no agent on PATH, so that installing goes by name; `bin` is the person's own folder of programs. */
function openWorld(): World & { readonly place: string; readonly settings: string; readonly bin: string } {
  const made = makeWorld();
  world = made;
  const bin = join(made.root, "bin");
  mkdirSync(bin);
  const local = join(made.root, ".local", "bin");
  const environment = { ...made.environment, PATH: `${local}:${bin}:/usr/bin:/bin` };
  return {
    ...made,
    environment,
    place: join(local, "tama"),
    settings: join(made.root, ".claude", "settings.json"),
    bin,
  };
}

function succeeded(ended: CommandEnd): CommandEnd {
  expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
  return ended;
}

test("install puts the program where it stays, names it in the settings, and does nothing the second time", async () => {
  const here = openWorld();
  const plan = succeeded(await tama(here, ["install", "claude-code", "--plan"])).stdout;
  expect(plan).toContain(`would put the program at ${here.place}`);
  expect(plan).toContain(`${here.place} run-hook claude-code`);
  expect(existsSync(here.place)).toBe(false);
  succeeded(await tama(here, ["install", "claude-code"]));
  expect(statSync(here.place).mode & 0o777).toBe(0o755);
  expect(statSync(here.home).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(here.root, ".local", "bin"))).toEqual(["tama"]);
  expect(readFileSync(here.settings, "utf8")).toContain(`${here.place} run-hook claude-code`);
  const again = succeeded(await tama(here, ["install", "claude-code"])).stdout;
  expect(again).toBe("claude-code: already installed; nothing changed\n");
});

test("another release replaces the program whole while the old one runs, and no command line changes", async () => {
  const here = openWorld();
  here.write(".local/bin/tama", "#!/bin/sh\necho old; read line; echo still the old\n", 0o755);
  const running = Bun.spawn([here.place], { stdin: "pipe", stdout: "pipe" });
  succeeded(await tama(here, ["install", "claude-code"]));
  const before = readFileSync(here.settings, "utf8");
  running.stdin.write("\n");
  await running.stdin.end();
  expect(await running.stdout.text()).toBe("old\nstill the old\n");
  here.write(".local/bin/tama", "#!/bin/sh\necho a newer one\n", 0o755);
  expect(succeeded(await tama(here, ["install", "claude-code"])).stdout).toContain(
    `replaced the program at ${here.place}`,
  );
  expect(readFileSync(here.settings, "utf8")).toBe(before);
  const installed = Bun.spawnSync([here.place, "--version"], { env: { ...here.environment } });
  expect(installed.stdout.toString()).toMatch(/^\d+\.\d+\.\d+/);
});

test("other copies on PATH are found and named, one that stands before it as what a shell finds", async () => {
  const here = openWorld();
  const other = here.write("bin/tama", "#!/bin/sh\n", 0o755);
  const behind = succeeded(await tama(here, ["install", "claude-code"]));
  expect(behind.stderr).toContain(`Another tama stands at ${other}`);
  const PATH = `${here.bin}:${here.environment["PATH"]}`;
  const before = succeeded(await tama(here, ["install", "claude-code"], { environment: { PATH } }));
  expect(before.stderr).toContain(`A shell finds ${other} before ${here.place}`);
  const unreachable = succeeded(
    await tama(here, ["install", "claude-code"], { environment: { PATH: "/usr/bin:/bin" } }),
  );
  expect(unreachable.stderr).toContain("is not on your PATH");
});

test("the program goes with the last agent that starts it, with the folders made for it; one that a person put there stays", async () => {
  const here = openWorld();
  succeeded(await tama(here, ["install", "claude-code", "codex"]));
  const first = succeeded(await tama(here, ["uninstall", "codex"])).stdout;
  expect(first).toContain(`${here.place} stays: claude-code still starts it`);
  expect(existsSync(here.place)).toBe(true);
  expect(succeeded(await tama(here, ["uninstall"])).stdout).toContain(`removed ${here.place}`);
  expect(existsSync(join(here.root, ".local"))).toBe(false);
  expect(existsSync(join(here.home, "install"))).toBe(false);
  succeeded(await tama(here, ["install", "claude-code", "--no-binary"]));
  expect(existsSync(here.place)).toBe(false);
  here.write(".local/bin/tama", "#!/bin/sh\n", 0o755);
  succeeded(await tama(here, ["uninstall"]));
  expect(existsSync(here.place)).toBe(true);
});

test("--project writes the folder's settings alone and gives them back; agents without such settings refuse it", async () => {
  const here = openWorld();
  const folder = join(here.root, "project");
  const theirs = '{\n  "model": "opus"\n}';
  const settings = here.write("project/.claude/settings.json", theirs);
  succeeded(await tama(here, ["install", "--project"], { cwd: folder }));
  expect(readFileSync(settings, "utf8")).toContain(`${here.place} run-hook claude-code`);
  expect(existsSync(here.settings)).toBe(false);
  expect(succeeded(await tama(here, ["uninstall"], { cwd: folder })).stdout).toContain("stays: claude-code");
  succeeded(await tama(here, ["uninstall", "--project"], { cwd: folder }));
  expect(readFileSync(settings, "utf8")).toBe(theirs);
  expect(existsSync(here.place)).toBe(false);
  const refused = await tama(here, ["install", "codex", "--project"], { cwd: folder });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("codex is not installed for one folder");
});

test("the program stays while Claude Code starts it by a plugin", async () => {
  const here = openWorld();
  here.write(".claude/settings.json", '{"enabledPlugins":{"tama@tama":true}}');
  succeeded(await tama(here, ["install", "codex"]));
  const doctored = await tama(here, ["doctor", "--json"]);
  const claude = JSON.parse(doctored.stdout).harnesses[1];
  expect(claude).toMatchObject({ harness: "claude-code", installed: true, canaryRefused: true, problems: [] });
  expect(succeeded(await tama(here, ["uninstall"])).stdout).toContain("stays: claude-code still starts it");
  expect(existsSync(here.place)).toBe(true);
});

test("a link that somebody keeps to another program is refused and kept, one to this program is right", async () => {
  const here = openWorld();
  const other = here.write("other/tama", "#!/bin/sh\n", 0o755);
  mkdirSync(join(here.root, ".local/bin"), { recursive: true });
  symlinkSync(other, here.place);
  const refused = await tama(here, ["install", "claude-code"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`${here.place} is a link to ${other}, another program; remove the link`);
  expect(readFileSync(other, "utf8")).toBe("#!/bin/sh\n");
  rmSync(here.place);
  symlinkSync(tamaBinary, here.place);
  succeeded(await tama(here, ["install", "claude-code"]));
  succeeded(await tama(here, ["uninstall"]));
  expect(existsSync(here.place)).toBe(true);
});

test("a place that holds a folder is refused before anything is written", async () => {
  const here = openWorld();
  mkdirSync(here.place, { recursive: true });
  const refused = await tama(here, ["install", "claude-code"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`${here.place} is no file`);
  expect(existsSync(here.settings)).toBe(false);
});
