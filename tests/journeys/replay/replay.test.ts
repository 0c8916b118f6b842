import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Happening, writtenHarnesses, writtenTranscript } from "../../cases/written-transcript.ts";
import { makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";
import { until } from "../until.ts";

/** A person plays finished sessions through the gates before switching one on (docs/replay.md). */
let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world.remove());

const ran = (command: string, text: string, isError = false): Happening => ({
  call: { tool: "bash", input: { command } },
  answer: { isError, text },
});
const boom = "npm ERR! missing script: tset\n\nCommand exited with code 1";

/** A failed call sent again (it fails again), a look taken twice (once the same, once not), and a change between. */
const story: readonly Happening[] = [
  { person: "please look" },
  ran("npm run tset", boom, true),
  ran("npm run tset", boom, true),
  ran("cat a.txt", "one"),
  ran("cat a.txt", "one"),
  ran("cat a.txt", "two"),
  ran("mkdir out", ""),
  ran("cat a.txt", "three"),
  { says: "It is done." },
];

interface Answer {
  readonly totals: {
    readonly sessions: number;
    readonly calls: number;
    readonly endings: number;
    readonly gates: readonly { gate: string; refusals: number; right: number; wrong: number; undecided: number }[];
  };
  readonly sessions: readonly {
    readonly path: string;
    readonly harness: string;
    readonly strip: string;
    readonly stopped: { readonly byte: number | null; readonly cause: string } | null;
    readonly refusals: readonly { gate: string; judgement: string; line: number; byte: number; reason: string }[];
  }[];
}

async function replayed(words: readonly string[]): Promise<Answer> {
  const end = await tama(world, ["replay", ...words, "--json"]);
  expect([end.code, end.stderr]).toEqual([0, ""]);
  return JSON.parse(end.stdout) as Answer;
}

const countsOf = (answer: Answer, gate: string): readonly number[] => {
  const row = answer.totals.gates.find((one) => one.gate === gate);
  return row === undefined ? [] : [row.refusals, row.right, row.wrong, row.undecided];
};

for (const harness of writtenHarnesses)
  test(`${harness}: each refusal is judged by what its call then got`, async () => {
    const path = world.write(`sessions/${harness}.jsonl`, writtenTranscript(harness, story));
    const answer = await replayed([path]);
    expect(answer.sessions[0]?.harness).toBe(harness);
    expect([answer.totals.calls, answer.totals.endings]).toEqual([7, 1]);
    expect(answer.sessions[0]?.strip).toBe("|uurrrcr.");
    expect(countsOf(answer, "repeat")).toEqual([1, 1, 0, 0]);
    expect(countsOf(answer, "block-wait-polling")).toEqual([2, 1, 1, 0]);
    for (const { line, byte, gate, reason } of answer.sessions[0]?.refusals ?? []) {
      const text = readFileSync(path, "utf8");
      expect(text.slice(0, byte).split("\n").length).toBe(line);
      expect(text.slice(byte).split("\n")[0]).toContain(gate === "repeat" ? "npm run tset" : "cat a.txt");
      expect(reason).toContain(
        gate === "repeat" ? "this session's same call was failed at" : "BLOCKED: this exact call",
      );
    }
  });

describe("what a person is shown", () => {
  test("totals and each refusal with its line; one gate alone where it is named", async () => {
    const path = world.write("shown.jsonl", writtenTranscript("omp", story));
    const all = await tama(world, ["replay", path]);
    expect(all.code).toBe(0);
    expect(all.stdout).toContain("wrong: the look got another answer");
    expect(all.stdout).toContain("1 session, 7 calls, 1 ending, ");
    const one = await tama(world, ["replay", path, "--gate", "repeat"]);
    expect(one.stdout).toContain("right: the repeat failed in the same words");
    expect(one.stdout).not.toContain("block-wait-polling");
    const two = await tama(world, ["replay", path, "--gate", "repeat,block-wait-polling"]);
    expect(two.stdout).toContain("block-wait-polling");
    expect(two.stdout).not.toContain("block-idle-answer");
    expect(one.stdout).not.toContain("\u001b");
  });

  test("a page that needs nothing from elsewhere and runs nothing", async () => {
    const evil = ran("cat '<script>alert(1)</script>'", "</pre><img src=x onerror=alert(1)>");
    const path = world.write("page.jsonl", writtenTranscript("claude-code", [...story, evil, evil]));
    const page = join(world.root, "page.html");
    const end = await tama(world, ["replay", path, "--html", page]);
    expect(end.stdout).toEndWith(`The page: ${page}\n`);
    const html = readFileSync(page, "utf8");
    expect(html).not.toMatch(/<script|<img|<link|https?:|url\(/);
    expect(html).toContain("&#60;script&#62;");
    expect(html).toContain('<a href="#s0r0"><polygon class="right"');
    expect(html).toContain("prefers-color-scheme: dark");
  });
});

describe("what cannot be played", () => {
  test("a broken line is named by file and byte, and what stands before it counts", async () => {
    const whole = writtenTranscript("omp", story.slice(0, 3));
    const path = world.write("broken.jsonl", `${whole}{broken\n${writtenTranscript("omp", story)}`);
    const end = await tama(world, ["replay", path, "--json"]);
    const answer = JSON.parse(end.stdout) as Answer;
    expect(end.stderr).toContain(`replay: ${path}: the line starting at byte ${Buffer.byteLength(whole)}`);
    expect(answer.totals.calls).toBe(2);
    expect(countsOf(answer, "repeat")).toEqual([1, 1, 0, 0]);
    expect(end.code).toBe(1);
  });

  test("a file that is nobody's transcript is said, and fails where it was named itself", async () => {
    const path = world.write(
      "strangers/other.jsonl",
      `${JSON.stringify({ v: 1, agent: "somebody", text: "hello" })}\n`,
    );
    const named = await tama(world, ["replay", path]);
    expect([named.code, named.stderr]).toEqual([
      1,
      `replay: ${path}: no record in it is of a harness whose transcripts Tama reads\n`,
    ]);
    const found = await tama(world, ["replay", join(world.root, "strangers")]);
    expect([found.code, found.stderr]).toEqual([0, named.stderr]);
    expect(await replayed([world.write("new.jsonl", "")])).toMatchObject({ totals: { calls: 0 } });
  });

  test("words that name nothing, no words at all and an unknown gate are said plainly", async () => {
    const gone = await tama(world, ["replay", join(world.root, "gone")]);
    expect([gone.code, gone.stdout]).toEqual([1, ""]);
    expect(gone.stderr).toContain("there is no such file or folder");
    expect((await tama(world, ["replay"])).code).toBe(2);
    const gate = await tama(world, ["replay", world.root, "--gate", "nope"]);
    expect([gate.code, gate.stderr.includes("there are repeat, block-wait-polling")]).toEqual([2, true]);
  });
});

test("--mine finds the sessions of every agent in the home, and says so where there are none", async () => {
  const own = makeWorld();
  try {
    const none = await tama(own, ["replay", "--mine"]);
    expect([none.code, none.stdout]).toEqual([1, ""]);
    expect(none.stderr).toContain("no session was found in");
    own.write(".omp/agent/sessions/--srv-app--/1.jsonl", writtenTranscript("omp", story));
    own.write(".claude/projects/-srv-app/2.jsonl", writtenTranscript("claude-code", story));
    own.write(".codex/sessions/2026/11/30/rollout-3.jsonl", writtenTranscript("codex", story));
    const all = await tama(own, ["replay", "--mine", "--json"]);
    expect((JSON.parse(all.stdout) as Answer).sessions.map((one) => one.harness).sort()).toEqual([
      "claude-code",
      "codex",
      "omp",
    ]);
    expect(existsSync(own.home)).toBe(false);
  } finally {
    own.remove();
  }
});

test("many sessions are played by several processes to the same totals", async () => {
  const looks = Array.from({ length: 400 }, (_one, at) => ran(`cat f${at}`, "x".repeat(4000)));
  const folder = join(world.root, "many");
  for (let at = 0; at < 6; at++) world.write(`many/${at}.jsonl`, writtenTranscript("omp", [...story, ...looks]));
  const answer = await replayed([folder]);
  expect([answer.totals.sessions, answer.totals.calls]).toEqual([6, 6 * 407]);
  expect(countsOf(answer, "block-wait-polling")).toEqual([12, 6, 6, 0]);
});

test("a process that is killed costs the one session it was at, and says so", async () => {
  const looks = Array.from({ length: 400 }, (_one, at) => ran(`cat f${at}`, "x".repeat(8000)));
  for (let at = 0; at < 8; at++) world.write(`killed/${at}.jsonl`, writtenTranscript("omp", [...story, ...looks]));
  const words = [tamaBinary, "replay", join(world.root, "killed"), "--json"];
  const replay = Bun.spawn(words, { env: { ...world.environment }, stdout: "pipe", stderr: "pipe" });
  const part = await until("a process that plays", () => childrenOf(replay.pid)[0]);
  process.kill(part, "SIGKILL");
  const [said, told] = await Promise.all([replay.stdout.text(), replay.stderr.text(), replay.exited]);
  const { sessions } = JSON.parse(said) as Answer;
  const lost = sessions.filter(({ stopped }) => stopped !== null);
  expect([sessions.length, lost.length]).toEqual([8, 1]);
  expect(lost[0]?.stopped?.cause).toBe("the process that played it ended early (SIGKILL)");
  expect(told).toContain(`${lost[0]?.path}: the process that played it ended early (SIGKILL)`);
});

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
