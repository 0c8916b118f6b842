import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startCore } from "../core-driver.ts";
import { makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";
import { until } from "../until.ts";

let world: World = makeWorld();
const followers: { readonly kill: (signal: "SIGKILL") => void }[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.kill("SIGKILL");
  world.remove();
  world = makeWorld();
});

/** A line as a person types it, in a shell that finds the product as `tama`. */
async function typed(line: string): Promise<{ readonly code: number; readonly stderr: string }> {
  const bin = join(world.root, "bin");
  if (!existsSync(bin)) {
    mkdirSync(bin);
    symlinkSync(tamaBinary, join(bin, "tama"));
  }
  const env = { ...world.environment, PATH: `${bin}:/usr/bin:/bin` };
  const child = Bun.spawn(["bash", "-c", line], {
    cwd: world.root,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  return { code: await child.exited, stderr: await child.stderr.text() };
}

test("what `tama try` says to do next can be typed as it stands", async () => {
  const played = await tama(world, ["try"]);
  expect([played.code, played.stderr]).toEqual([0, ""]);
  const next = played.stdout.slice(played.stdout.indexOf("Next\n"));
  const lines = [...next.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, line = ""]) => line);
  expect(lines.map((line) => line.split(" ").slice(1).join(" "))).toEqual([
    "install",
    "hooks declare --preset standalone",
  ]);
  for (const line of lines) {
    const ended = await typed(line);
    // No agent is here, which `install` says; it is found all the same.
    expect([line, ended.code === 0 || ended.stderr.startsWith("install: none of omp, ")]).toEqual([line, true]);
  }
  expect(existsSync(join(world.home, "registry.json"))).toBe(true);
});

test("each command that takes words shows an example, and each example is a line the command takes", async () => {
  const whole = (await tama(world, ["--help"])).stdout;
  const commands = whole.split("\n").flatMap((line) => /^ {2}(\S+(?: \S+)*) {2,}\S/.exec(line)?.[1] ?? []);
  const without: string[] = [];
  for (const words of commands) {
    const help = (await tama(world, [...words.split(" "), "--help"])).stdout;
    const [, example] = /^example: (.*)$/m.exec(help) ?? [];
    if (example === undefined) {
      without.push(words);
      continue;
    }
    expect(example).toContain(`tama ${words}`);
    // What would never end is cut by its own words.
    const line = example.replace(" --follow", "").replace("--for 2m", "--for 1s").replace("gh run view", "echo");
    const ended = await typed(line);
    expect([example, ended.code === 2, /usage: |bug in Tama/.test(ended.stderr)]).toEqual([example, false, false]);
  }
  expect(without).toEqual(["run-hook", "hooks declared", "status", "try", "doctor"]);
}, 60_000);

test("help that cannot be written says so, and calls nothing a bug", async () => {
  if (!existsSync("/dev/full")) return;
  for (const words of ["--help", "install --help", "--version"]) {
    const ended = await typed(`tama ${words} > /dev/full`);
    expect([words, ended.code]).toEqual([words, 1]);
    expect(ended.stderr).toMatch(/^\w+: ENOSPC/);
  }
});

test("a plan ends with the files in short, and writes none", async () => {
  const plan = await tama(world, ["install", "omp", "claude-code", "--plan"]);
  const short = plan.stdout.slice(plan.stdout.lastIndexOf("\ntama install would\n"));
  expect(short).toMatch(/^ {2}write \S+\/extensions\/tama\.ts \(\d{4} lines\)$/m);
  expect(short).toMatch(/^ {2}write \S+\/\.claude\/settings\.json \(\d+ lines\)$/m);
  expect(short).toEndWith("\nnothing was written\n");
  expect(readdirSync(world.root)).toEqual([]);
  await tama(world, ["install", "claude-code"]);
  const undo = (await tama(world, ["uninstall", "--plan"])).stdout;
  expect(undo).toContain(`  remove ${join(world.root, ".local/bin/tama")}, once no agent starts it\n`);
  expect(readFileSync(join(world.root, ".claude/settings.json"), "utf8")).toContain("run-hook claude-code");
});

test("an agent named by its program, and a session nobody saw, are told", async () => {
  expect((await tama(world, ["install", "claude"])).stderr).toBe(
    'install: there is no harness "claude"; did you mean claude-code?; there are omp, claude-code, codex, gemini, pi\n',
  );
  const failed = await tama(world, ["calls", "failed", "--session", "s"]);
  expect([failed.code, JSON.parse(failed.stdout)]).toEqual([0, { calls: {} }]);
  expect(failed.stderr).toBe("calls: nothing was seen here of session s; tama status names those that were\n");
  const granted = await tama(world, ["grant", "once", "--session", "s", "--call", "0".repeat(16), "--because", "x"]);
  expect(granted.stderr).toContain("No session s was seen here yet; tama status names those that were.");
});

test("a home that is none is one problem, in status and in doctor", async () => {
  world.write("tama-home", "a file");
  const status = JSON.parse((await tama(world, ["status", "--json"])).stdout) as {
    readonly problems: readonly string[];
  };
  expect(status.problems).toEqual([`cannot use TAMA_HOME ${world.home}: ${world.home} is no folder`]);
  const doctor = (await tama(world, ["doctor"])).stdout;
  expect(doctor.match(/problem: (?!no gate exists)/g)).toHaveLength(1);
  expect(doctor).toContain(`way out: move ${world.home} away (Tama makes it anew), or point TAMA_HOME elsewhere`);
});

test("a tool that no agent is known to have is declared, and said", async () => {
  const on = [{ event: "tool_call", tools: ["Bsh", "bash", "kind:read"] }];
  const file = world.write("d.json", JSON.stringify({ id: "x", says: "y", on, program: { command: ["/bin/true"] } }));
  const declared = await tama(world, ["hooks", "declare", "--file", file]);
  expect([declared.code, declared.stdout]).toEqual([0, "declared x: y\n"]);
  expect(declared.stderr).toBe(
    'hooks declare: no agent is known to have a tool "Bsh"; only calls of that very name reach x by it\n',
  );
});

test("a transcript shown to a reader that has seen enough ends without a word, and a harness there is not is refused", async () => {
  const row = {
    type: "message",
    id: "a",
    message: { role: "user", content: [{ type: "text", text: "x".repeat(999) }] },
  };
  world.write("long.jsonl", `${JSON.stringify(row)}\n`.repeat(3000));
  const cut = await typed("tama transcript read long.jsonl | head -1");
  expect([cut.code, cut.stderr]).toEqual([0, ""]);
  for (const words of ["transcript read long.jsonl", "replay long.jsonl"]) {
    const wrong = await typed(`tama ${words} --harness claude`);
    expect([words, wrong.code]).toEqual([words, 2]);
    expect(wrong.stderr).toContain('there is no harness "claude"; there are omp, claude-code, codex, gemini, pi');
  }
});

test("tama log --follow tells what was decided and what is decided next, each once, until Ctrl-C", async () => {
  const core = await startCore(world);
  await core.dispatch("input", { session: "s", text: "one" });
  const child = Bun.spawn([tamaBinary, "log", "--follow", "--json"], { env: world.environment, stdout: "pipe" });
  followers.push(child);
  let heard = "";
  const reading = (async () => {
    for await (const chunk of child.stdout) heard += new TextDecoder().decode(chunk);
  })();
  const lines = (): readonly string[] => heard.split("\n").slice(0, -1);
  await until("what was decided before", () => lines().length === 1);
  for (const session of ["s", "new"]) await core.dispatch("input", { session, text: "two" });
  await until("what was decided after", () => lines().length === 3);
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
  await reading;
  expect(lines().map((line) => JSON.parse(line).session)).toEqual(["s", "s", "new"]);
  await core.close();
  const lone = await tama(world, ["log", "--agent", "a"]);
  expect([lone.code, lone.stdout]).toEqual([2, ""]);
  expect(lone.stderr).toStartWith("tama log: --agent is a subagent of a session; name that by --session\n");
});

test("progress on a narrow terminal stays on its line, and a terminal that takes no orders gets none", async () => {
  const seen = async (term: string, columns: number): Promise<string> => {
    const line = `stty cols ${columns}; TERM=${term} tama wait --for 1s -- 'echo ${"long ".repeat(40)}'`;
    const script = world.write("narrow.sh", `${line} 2>&1 >/dev/null\n`);
    const typescript = join(world.root, "typescript");
    await typed(`script -qec 'bash ${script}' ${typescript} < /dev/null`);
    return readFileSync(typescript, "utf8");
  };
  if (Bun.which("script") === null) return;
  const shown = (await seen("xterm", 30)).match(/(?<=\r\u001b\[K)no change after [^\r\n\u001b]*/g) ?? [];
  expect(shown[0]).toStartWith("no change after 1 run in 0s: ");
  expect(shown.filter((text) => text.length > 29)).toEqual([]);
  expect(await seen("dumb", 30)).not.toContain("\u001b");
});
