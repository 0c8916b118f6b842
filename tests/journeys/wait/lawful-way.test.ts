import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  asHarnessCalls,
  type Happening,
  type WrittenHarness,
  writtenHarnesses,
  writtenTranscript,
} from "../../cases/written-transcript.ts";
import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";
import { afterRun, countingScript, replace, startWait } from "./started-wait.ts";

// The way out that the refusal of a repeated look names: followed as it is printed, it gives the new answer once there is one.

let world: World;
let core: DrivenCore;
let story: Happening[] = [];

beforeEach(() => {
  world = makeWorld();
  story = [{ person: "is it done?" }];
  world.write("bin/.keep", "");
  symlinkSync(tamaBinary, join(world.root, "bin/tama"));
});
afterEach(async () => {
  await core.close();
  world.remove();
});

interface Told {
  readonly text: string;
  readonly isError?: boolean;
}

/** A shell call of the session: asked, and where it is admitted answered by event and transcript. */
async function calls(harness: WrittenHarness, command: string, told: Told, details: object = {}): Promise<Frame> {
  const id = `m${story.length}-0`;
  const call = { tool: "bash", input: { command } };
  const answer = { isError: told.isError ?? false, text: told.text };
  const transcript = join(world.root, "s.jsonl");
  const event = {
    ...{ session: "s", cwd: world.root, transcript, call: id, message: `m${story.length}` },
    ...asHarnessCalls(harness, call),
    ...details,
  };
  const asked = await core.dispatch("tool_call", event);
  const refused = asked["verdict"] !== "pass";
  story = [...story, { call, answer: refused ? { isError: true, text: String(asked["reason"]) } : answer }];
  writeFileSync(transcript, writtenTranscript(harness, story, world.root));
  if (!refused) await core.dispatch("tool_result", { ...event, ...answer });
  return asked;
}

async function begin(harness: WrittenHarness): Promise<void> {
  expect((await tama(world, ["hooks", "declare", "--preset", "standalone"])).code).toBe(0);
  core = await startCore(world, { harness });
}

/** The command that a refusal prints, to be run as it stands. */
function printedWait(refusal: Frame): string {
  const found = /wait for that in one call: (tama wait .*)$/m.exec(String(refusal["reason"]))?.[1];
  if (found === undefined) throw new Error(`no way to wait in: ${String(refusal["reason"])}`);
  return found;
}

function bash(line: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const path = `${join(world.root, "bin")}:${world.environment["PATH"] ?? ""}`;
  const child = Bun.spawn(["bash", "-c", line], {
    env: { ...world.environment, PATH: path },
    cwd: world.root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Promise.all([child.exited, child.stdout.text(), child.stderr.text()]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
}

/** What OMP adds to an output in its events and its file alike; the writer of the other transcripts adds theirs. */
function framed(harness: WrittenHarness, text: string): string {
  return harness === "omp" ? `${text}\n\n\nWall time: 0.10 seconds` : text;
}

for (const harness of writtenHarnesses)
  describe(harness, () => {
    test("the printed wait, sent as it is, passes every gate and is no look", async () => {
      await begin(harness);
      const look = "cat 'state of it.txt' | head -3";
      await calls(harness, look, { text: framed(harness, "queued") });
      const wait = printedWait(await calls(harness, look, { text: "" }));
      expect(await calls(harness, wait, { text: "no change yet, send again" })).toMatchObject({ verdict: "pass" });
      expect(await calls(harness, wait, { text: "no change yet, send again" })).toMatchObject({ verdict: "pass" });
    });

    test("it waits while the answer is the one that call got, and gives the new one once", async () => {
      await begin(harness);
      world.write("state of it.txt", "queued\n");
      countingScript(world, "look.sh", "cat 'state of it.txt'");
      await calls(harness, "./look.sh", { text: framed(harness, "queued") });
      const wait = printedWait(await calls(harness, "./look.sh", { text: "" }));
      const waiting = bash(wait.replace("--for", "--every 20ms --for"));
      await afterRun(world, 3);
      replace(world, "state of it.txt", "done\n");
      expect(await waiting).toEqual({ code: 0, stdout: "done\n", stderr: "" });
      const again = await bash(wait.replace(/--for \S+/, "--for 300ms"));
      expect(again).toEqual({ code: 0, stdout: "no change yet, send again\n", stderr: "" });
    });

    test("what changed before the wait began is told by its first run", async () => {
      await begin(harness);
      world.write("state.txt", "done\n");
      await calls(harness, "cat state.txt", { text: framed(harness, "queued") });
      const wait = printedWait(await calls(harness, "cat state.txt", { text: "" }));
      expect(await bash(wait)).toEqual({ code: 0, stdout: "done\n", stderr: "" });
    });
  });

test("a failed call's answer is the one the session keeps", async () => {
  await begin("omp");
  const text = "not ready\n\n\nWall time: 0.01 seconds\n\nCommand exited with code 7";
  countingScript(world, "check.sh", "[ -e ready ] && exit 0; echo 'not ready' >&2; exit 7");
  await calls("omp", "./check.sh", { text, isError: true });
  const kept = await tama(world, ["calls", "failed", "--session", "s"]);
  const [id = ""] = Object.keys((JSON.parse(kept.stdout) as { calls: object }).calls);
  const wait = startWait(world, ["--every", "20ms", "--session", "s", "--after", id, "--", "./check.sh"]);
  await afterRun(world, 2);
  world.write("ready", "");
  expect(await wait.ended).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
});

test("a call nobody knows is said, and the first run is the baseline", async () => {
  await begin("omp");
  const words = ["wait", "--session", "s", "--after", "0123456789abcdef", "--for", "200ms", "--", "true"];
  const { code, stdout, stderr } = await tama(world, words);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "no change yet, send again\n" });
  expect(stderr).toMatch(/^wait: what answered 0123456789abcdef is not known whole here, so the first run is .*\n$/);
});

test("a wait that runs what no session may run is refused as that command", async () => {
  await begin("omp");
  for (const line of ["tama wait -- tama hooks withdraw x", "tama wait --for 2m -- 'cd /; tama hooks withdraw --all'"])
    expect(await calls("omp", line, { text: "" })).toMatchObject({
      verdict: "refuse",
      blockedHookId: "block-gate-tampering",
    });
});
