import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { processesWith } from "../process-table.ts";
import { makeWorld, tama, type World } from "../tama-command.ts";
import { afterRun, countingScript, replace, runsSoFar, startWait } from "./started-wait.ts";

// A command is run quietly until its answer is a new one, and that one is printed once, with its exit code.

let world: World = makeWorld();
afterEach(() => {
  const left = processesWith(world.root);
  for (const one of left) process.kill(one.pid, "SIGKILL");
  world.remove();
  world = makeWorld();
  expect(left).toEqual([]);
});

const often = ["--every", "20ms"];

describe("a new answer", () => {
  test("of a file that changes is printed as it is", async () => {
    const file = world.write("state.txt", "queued\n");
    const script = countingScript(world, "look.sh", `cat ${file}`);
    const wait = startWait(world, [...often, "--", script]);
    await afterRun(world, 2);
    replace(world, "state.txt", "done\n\n  and more  \n");
    expect(await wait.ended).toEqual({ code: 0, signal: null, stdout: "done\n\n  and more  \n", stderr: "" });
  });

  test("of a script that fails and then succeeds is its success", async () => {
    const script = countingScript(world, "check.sh", `[ -e ready ] && exit 0\necho "not ready" >&2\nexit 7`);
    const wait = startWait(world, [...often, "--", script]);
    await afterRun(world, 1);
    world.write("ready", "");
    expect(await wait.ended).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  });

  test("of a script that succeeds and then fails ends with its exit code, on its own streams", async () => {
    const body = `[ -e broken ] || { echo fine; exit 0; }\necho half\necho "it broke" >&2\nexit 9`;
    const wait = startWait(world, [...often, "--", countingScript(world, "check.sh", body)]);
    await afterRun(world, 1);
    world.write("broken", "");
    expect(await wait.ended).toEqual({ code: 9, signal: null, stdout: "half\n", stderr: "it broke\n" });
  });

  test("is one also when the exit code alone differs, or a stream", async () => {
    for (const [name, changed, wanted] of [
      ["code", "exit 3", { code: 3, stdout: "", stderr: "" }],
      ["stream", "echo a >&2", { code: 0, stdout: "", stderr: "a\n" }],
    ] as const) {
      const before = name === "code" ? "true" : "echo a";
      const file = world.write(`${name}.sh`, before);
      const ran = runsSoFar(world);
      const wait = startWait(world, [...often, "--", countingScript(world, `run-${name}.sh`, `. ${file}`)]);
      await afterRun(world, ran + 1);
      replace(world, `${name}.sh`, changed);
      expect(await wait.ended).toMatchObject(wanted);
    }
  });

  test("is none while only the white space at its end changes", async () => {
    const file = world.write("state.txt", "queued");
    const wait = startWait(world, [...often, "--", countingScript(world, "look.sh", `cat ${file}`)]);
    await afterRun(world, 1);
    replace(world, "state.txt", "queued \n\n");
    await afterRun(world, runsSoFar(world) + 1);
    replace(world, "state.txt", "sent");
    expect((await wait.ended).stdout).toBe("sent");
  });

  test("may be a death by signal, counted as a shell counts it", async () => {
    const script = countingScript(world, "dies.sh", "[ -e go ] && kill -TERM $$\nexit 0");
    const wait = startWait(world, [...often, "--", script]);
    await afterRun(world, 1);
    world.write("go", "");
    expect((await wait.ended).code).toBe(143);
  });

  test("of a megabyte and more is cut in its middle, and is new when only what is left out changed", async () => {
    const file = world.write("byte", "a");
    const body = `head -c 900000 /dev/zero | tr '\\0' x\ncat ${file}\nhead -c 900000 /dev/zero | tr '\\0' y`;
    const wait = startWait(world, [...often, "--", countingScript(world, "long.sh", body)]);
    await afterRun(world, 1);
    replace(world, "byte", "b");
    const { code, stdout } = await wait.ended;
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(1024 * 1024 + 100);
    expect(stdout).toMatch(/^x+\n\[… 751425 bytes left out here …\]\ny+$/);
  });
});

describe("the command", () => {
  test("as several words is a program and its words, as they are", async () => {
    const script = countingScript(world, "words.sh", `printf '<%s>' "$@"\nls state`);
    const wait = startWait(world, [...often, "--", script, "a b", "--", "$HOME; ls", "", "--for"]);
    await afterRun(world, 1);
    world.write("state", "");
    expect((await wait.ended).stdout).toBe("<a b><--><$HOME; ls><><--for>state\n");
  });

  test("as one word with spaces in it is a shell line", async () => {
    countingScript(world, "count.sh", "");
    const wait = startWait(world, [...often, "--", "./count.sh; ls | grep -c '^state' && echo $((6 * 7))"]);
    await afterRun(world, 1);
    world.write("state", "");
    expect((await wait.ended).stdout).toBe("1\n42\n");
  });

  test("has an empty stdin, the folder and the environment of the wait", async () => {
    const body = `cat; pwd; echo "$HOME"; ls state 2>/dev/null`;
    const wait = startWait(world, [...often, "--", countingScript(world, "where.sh", body)]);
    await afterRun(world, 1);
    world.write("state", "");
    expect((await wait.ended).stdout).toBe(`${world.root}\n${world.root}\nstate\n`);
  });

  test("that is not there is said, and waited for", async () => {
    countingScript(world, "count.sh", "");
    const wait = startWait(world, [...often, "--", "./count.sh; ./later.sh"]);
    await afterRun(world, 1);
    world.script("later.sh", "echo here");
    const { code, stdout, stderr } = await wait.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "here\n" });
    expect(stderr).toContain("wait: the first answer is exit code 127");
    const { stderr: said } = await tama(world, ["wait", "--for", "300ms", "--", "./nowhere", "x"]);
    expect(said).toMatch(/^wait: the first answer is exit code 127: .*nowhere.*not found\n$/);
  });
});

describe("--for", () => {
  test("ends a wait in which nothing changed", async () => {
    const ended = await tama(world, ["wait", ...often, "--for", "200ms", "--", "echo", "same"]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "no change yet, send again\n", stderr: "" });
  });

  test("ends a command that hangs", async () => {
    const script = world.script("hang.sh", "echo started\nsleep 600 & sleep 600");
    const ended = await tama(world, ["wait", "--for", "300ms", "--", script]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "no change yet, send again\n", stderr: "" });
    expect(processesWith(world.root)).toEqual([]);
  });

  test("keeps what a session saw, so that a change between two waits is told by the second", async () => {
    const file = world.write("state.txt", "queued\n");
    const words = ["wait", ...often, "--session", "s/1", "--for", "200ms", "--", "cat", file];
    expect((await tama(world, words)).stdout).toBe("no change yet, send again\n");
    replace(world, "state.txt", "done\n");
    expect(await tama(world, words)).toEqual({ code: 0, signal: null, stdout: "done\n", stderr: "" });
    expect((await tama(world, words)).stdout).toBe("no change yet, send again\n");
    expect(
      (
        await tama(
          world,
          words.map((word) => word.replace("s/1", "s/2")),
        )
      ).stdout,
    ).toBe("no change yet, send again\n");
  });

  test("without a session keeps nothing", async () => {
    await tama(world, ["wait", ...often, "--for", "100ms", "--", "true"]);
    expect(existsSync(join(world.home, "control"))).toBe(false);
  });
});

describe("usage", () => {
  for (const words of [
    [],
    ["--"],
    ["--", ""],
    ["--", "-x"],
    ["ls"],
    ["ls", "--", "ls"],
    ["--for", "--", "ls"],
    ["--for", "10", "--", "ls"],
    ["--every", "never", "--", "ls"],
    ["--after", "0123456789abcdef", "--", "ls"],
    ["--session", "s", "--after", "call-1", "--", "ls"],
    ["--session", "", "--", "ls"],
    ["--until", "x", "--", "ls"],
  ])
    test(`tama wait ${words.join(" ")} is refused with exit 2`, async () => {
      const { code, stdout, stderr } = await tama(world, ["wait", ...words]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("usage: tama wait");
    });
});
