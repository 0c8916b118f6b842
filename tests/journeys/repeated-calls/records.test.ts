import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { startCore } from "../core-driver.ts";
import { declareHook, tama } from "../tama-command.ts";
import {
  failure,
  keptCalls,
  makeRepeatWorld,
  onlyKept,
  played,
  playSession,
  type RepeatWorld,
  success,
} from "./played-session.ts";

/** Records that cannot be read refuse; records that cannot be written are only said (spec: calls, Output and refusals). */
const call = { command: "npm test" };

const spoils: readonly {
  readonly name: string;
  readonly verb: string;
  readonly spoil: (path: string, world: RepeatWorld) => void;
}[] = [
  { name: "torn JSON", verb: "decode", spoil: (path) => writeFileSync(path, '{"calls":{"a":') },
  { name: "an empty file", verb: "decode", spoil: (path) => writeFileSync(path, "") },
  { name: "another shape", verb: "decode", spoil: (path) => writeFileSync(path, '{"calls":[]}') },
  { name: "bytes that are no UTF-8", verb: "read", spoil: (path) => writeFileSync(path, Buffer.from([0x7b, 0xff])) },
  { name: "a folder in its place", verb: "read", spoil: (path) => mkdirSync(path) },
  {
    name: "a symbolic link",
    verb: "read",
    spoil: (path, world) => symlinkSync(world.write("elsewhere.json", '{"calls":{}}'), path),
  },
];

for (const folder of ["failed-calls", "started-calls"] as const) {
  for (const { name, verb, spoil } of spoils) {
    test(`${folder}: ${name} refuses every call, naming path and cause, until it is repaired`, () =>
      played("full", async (session, world) => {
        const path = `${world.home}/${folder}/s.json`;
        spoil(path, world);
        const refused = await session.asks("bash", call);
        expect(refused).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "repeat" });
        expect(String(refused["reason"])).toStartWith(
          `TAMA_HOOK_INFRASTRUCTURE: the repeat gate cannot ${verb} ${path}: `,
        );
        const other = playSession(session.core, world, "other");
        expect(await other.asks("bash", call)).toMatchObject({ verdict: "pass" });
        rmSync(path, { recursive: true });
        expect(await session.asks("bash", call)).toMatchObject({ verdict: "pass" });
      }));
  }
}

test("`tama calls` names an unreadable or undecodable record and exits 1", async () => {
  const world = makeRepeatWorld("full");
  const path = `${world.home}/failed-calls/s.json`;
  world.write("tama-home/failed-calls/s.json", "{");
  for (const words of [
    ["calls", "failed", "--session", "s"],
    ["calls", "retry", "abc", "--session", "s", "--because", "x"],
  ]) {
    const ended = await tama(world, words);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toStartWith(`calls: cannot decode ${path}: `);
  }
  rmSync(path);
  mkdirSync(path);
  const ended = await tama(world, ["calls", "failed", "--session", "s"]);
  expect(ended).toMatchObject({ code: 1, stdout: "", stderr: `calls: cannot read ${path}: it is no regular file\n` });
  world.remove();
});

test("a call that is none is refused in the spec's sentence, and leaves the home as it was", async () => {
  const world = makeRepeatWorld("full");
  const retry = (call: string) => tama(world, ["calls", "retry", call, "--session", "s", "--because", "x"]);
  const none = (call: string): object => ({
    code: 1,
    stdout: "",
    stderr: `calls: session s keeps no failed call ${call}; \`tama calls failed --session s\` lists them\n`,
  });
  rmSync(world.home, { recursive: true, force: true });
  expect(await retry("abc")).toMatchObject(none("abc"));
  expect(existsSync(world.home)).toBe(false);
  const core = await startCore(world);
  const session = playSession(core, world, "s");
  await session.runs("bash", call, failure("no"));
  const before = readFileSync(`${world.home}/failed-calls/s.json`, "utf8");
  for (const inherited of ["toString", "constructor", "__proto__", ""])
    expect(await retry(inherited)).toMatchObject(none(inherited));
  expect(await core.request("calls/retry", { session: "s", call: "valueOf", because: "x" })).toMatchObject({
    ok: false,
  });
  expect(readFileSync(`${world.home}/failed-calls/s.json`, "utf8")).toBe(before);
  expect(await session.asks("bash", call)).toMatchObject({ blockedHookId: "repeat", failed: { by: "failed" } });
  await core.close();
  world.remove();
});

test("a record that cannot be written is said on stderr and leaves the decision", () =>
  played("full", async (session, world) => {
    // The lock cannot be opened, so nothing can be kept; root is stopped by a folder as anybody is.
    mkdirSync(`${world.home}/failed-calls/s.json.lock`);
    mkdirSync(`${world.home}/started-calls/s.json.lock`);
    mkdirSync(`${world.home}/sessions/s.json.lock`);
    mkdirSync(`${world.home}/log/s.jsonl`);
    expect(await session.answers("bash", call, failure("1 failed"))).toMatchObject({ ok: true, verdict: "pass" });
    expect(await session.asks("bash", call)).toMatchObject({ ok: true, verdict: "pass" });
    expect(await session.person("go on")).toMatchObject({ ok: true, verdict: "pass" });
    for (const place of ["failed-calls/s.json.lock", "started-calls/s.json.lock", "log/s.jsonl"])
      expect(session.core.stderr()).toContain(`${world.home}/${place}`);
  }));

test("a home that disappears while the core runs is said, and calls go on", () =>
  played("full", async (session, world) => {
    await session.answers("bash", call, failure("1 failed"));
    rmSync(world.home, { recursive: true });
    expect(await session.asks("bash", call)).toMatchObject({ verdict: "pass" });
    expect(session.core.stderr()).toContain(world.home);
  }));

test("a home that is a link or open to others is not used as it is", async () => {
  const world = makeRepeatWorld("full");
  mkdirSync(world.home, { mode: 0o777 });
  chmodSync(world.home, 0o777);
  const core = await startCore(world);
  expect(lstatSync(world.home).mode & 0o777).toBe(0o700);
  await playSession(core, world, "s").answers("bash", call, failure("1 failed"));
  expect(lstatSync(`${world.home}/failed-calls/s.json`).mode & 0o777).toBe(0o600);
  await core.close();
  world.remove();
});

test("fields of a newer release survive a rewrite", () =>
  played("full", async (session, world) => {
    await session.answers("bash", call, failure("1 failed"));
    const path = `${world.home}/failed-calls/s.json`;
    const [id] = await onlyKept(world);
    const record = JSON.parse(readFileSync(path, "utf8")) as { calls: Record<string, object> };
    writeFileSync(path, JSON.stringify({ ...record, newer: 1, calls: { [id]: { ...record.calls[id], newer: [2] } } }));
    await session.answers("read", { path: "b" }, failure("not found"));
    const after = JSON.parse(readFileSync(path, "utf8")) as typeof record & { newer: number };
    expect(after.newer).toBe(1);
    expect(after.calls[id]).toMatchObject({ newer: [2] });
  }));

test("what is kept is masked and cut; what is quoted cannot move a terminal", () =>
  played("full", async (session, world) => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const said = `\u001b]52;c;ZXZpbA==\u0007push with ${token} failed\u202e`;
    await session.answers("bash", call, failure(`${said}\nmore \u009b2J`));
    const file = readFileSync(`${world.home}/failed-calls/s.json`, "utf8");
    expect(file).not.toContain(token);
    const [, kept] = await onlyKept(world);
    expect(kept.said).toContain("push with ghp_[hidden by tama] failed");
    const refused = await session.asks("bash", call);
    const reason = String(refused["reason"]);
    expect(reason).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(reason).toContain("^[]52;c;ZXZpbA==^G");
    expect(reason).not.toContain(token);
    const log = readFileSync(`${world.home}/log/s.jsonl`, "utf8");
    expect(log).not.toContain(token);

    const [held] = await onlyKept(world);
    await tama(world, ["calls", "retry", held, "--session", "s", "--because", `renewed ${token}`]);
    expect((await onlyKept(world))[1].retry).toBe("renewed ghp_[hidden by tama]");

    const long = { command: "cat big" };
    await session.answers("bash", long, failure(`begin${"x".repeat(3_000_000)}the end`));
    const big = Object.values(await keptCalls(world)).find((one) => one.said.startsWith("begin"));
    expect(big?.answer.length).toBeLessThan(1024 * 1024 + 100);
    expect(big?.answer).toMatch(/^beginx+\n\[… \d+ bytes left out here …\]\nx+the end$/);
    await session.asks("bash", long);
    expect(lstatSync(`${world.home}/log/s.jsonl`).size).toBeLessThan(300_000);
  }));

test("an interrupted result is kept as unanswered, and its text is masked too", () =>
  played("full", async (session, world) => {
    const token = `glpat-${"x9Y8".repeat(6)}`;
    await session.asks("bash", call, { call: "c1", message: 1 });
    const text = `Interrupted by user\npartial output ${token}`;
    await session.answers("bash", call, { isError: true, text, details: { interrupted: true } }, { call: "c1" });
    const [, kept] = await onlyKept(world);
    expect(kept.by).toBe("unanswered");
    expect(readFileSync(`${world.home}/failed-calls/s.json`, "utf8")).not.toContain(token);
    await session.person("why did you stop?");
    expect(await session.asks("bash", call, { call: "c2", message: 2 })).toMatchObject({ verdict: "refuse" });
    await session.runs("write", { path: "a", content: "" }, success());
    expect(await session.asks("bash", call, { call: "c3", message: 3 })).toMatchObject({ verdict: "pass" });
  }));

test("no secret that a hook or a session says is kept anywhere", async () => {
  const world = makeRepeatWorld("full");
  const token = `ghp_${"z9Y8".repeat(9)}`;
  const on = [{ event: "tool_call", tools: ["bash"] }, { event: "stop" }, { event: "before_provider" }];
  await declareHook(world, { id: "says", command: [world.script("says", `echo 'it holds ${token}' >&2; exit 2`)], on });
  const core = await startCore(world);
  const session = playSession(core, world, "s");
  for (let round = 0; round < 2; round++) await session.asks("bash", { command: `curl -H 'token: ${token}' u` });
  await session.answers("read", { path: token }, failure(`no ${token}`));
  await core.dispatch("stop", { session: "s", answer: token });
  await core.dispatch("before_provider", { session: "s" });
  await core.close();
  expect(Bun.spawnSync(["grep", "-rl", token, world.home]).stdout.toString()).toBe("");
  world.remove();
});
