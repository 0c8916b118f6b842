import { afterEach, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { type CommandEnd, declareHook, makeWorld, tama, type World } from "../tama-command.ts";
import { printedLine } from "../ways-out-live/printed.ts";

let world: World = makeWorld();
let core: DrivenCore | null = null;
afterEach(async () => {
  await core?.close();
  core = null;
  world.remove();
  world = makeWorld();
});

const session = "s1";

/** Refuses every call whose command holds the word, says why on stderr. */
async function refuseWord(id: string, word: string, events: readonly string[] = ["tool_call"]): Promise<void> {
  const script = world.script(id, `case "$(cat)" in *${word}*) echo "no ${word}" >&2; exit 2 ;; esac`);
  await declareHook(world, { id, command: [script], on: events.map((event) => ({ event })) });
}

let sends = 0;
function call(command: string): Promise<Frame> {
  if (core === null) throw new Error("no core runs");
  sends++;
  const payload = { session, tool: "bash", input: { command }, call: `c${sends}`, message: `m${sends}`, cwd: "/" };
  return core.dispatch("tool_call", payload);
}

function grant(...words: readonly string[]): Promise<CommandEnd> {
  return tama(world, ["grant", "once", "--session", session, ...words, "--because", "I looked, and it is right"]);
}

function grants(): readonly { readonly spent: { readonly hook: string } | null }[] {
  return JSON.parse(readFileSync(join(world.home, "control", `grants.${session}.json`), "utf8")).grants;
}

test("a hook's next refusal is let through once, with the person's word in the notes; the one after it stands", async () => {
  await refuseWord("branches", "push");
  core = await startCore(world);
  expect((await grant("--hook", "branches")).stdout).toBe("granted: the next refusal of branches, once\n");
  expect(await call("ls")).toMatchObject({ verdict: "pass" });
  expect(grants().map(({ spent }) => spent)).toEqual([null]);
  const admitted = await call("git push one");
  expect(admitted).toMatchObject({ verdict: "pass" });
  expect(admitted["notes"]).toContain("I looked, and it is right");
  expect(grants()[0]?.spent).toMatchObject({ hook: "branches" });
  expect(await call("git push two")).toMatchObject({ verdict: "refuse", blockedHookId: "branches" });
});

test("a call's grant lifts one gate's refusal of that call alone, and the repeat hold is lifted by calls retry alone", async () => {
  await refuseWord("branches", "push");
  core = await startCore(world);
  expect(await call("git push here")).toMatchObject({ verdict: "refuse", blockedHookId: "branches" });
  const held = await call("git push here");
  expect(held).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
  const id = String(held["call"]);
  const granted = await grant("--call", id);
  expect(granted.code).toBe(0);
  expect(granted.stderr).toContain(`tama calls retry ${id} --session ${session}`);
  expect(await call("git push there")).toMatchObject({ verdict: "refuse", blockedHookId: "branches" });
  expect(await call("git push here")).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
  expect(grants()[0]?.spent).toBeNull();
  await tama(world, ["calls", "retry", id, "--session", session, "--because", "a person granted it"]);
  expect(await call("git push here")).toMatchObject({ verdict: "pass" });
  expect(grants()[0]?.spent).toMatchObject({ hook: "branches" });
});

test("tama why names the refused call and the commands that let it through, which do", async () => {
  await refuseWord("branches", "push");
  core = await startCore(world);
  const refused = await call("git push here");
  const listed = (await tama(world, ["log"])).stdout;
  expect(listed).toContain(`refuse  branches  ${refused["refusal"]}  git push here\n`);
  const why = (await tama(world, ["why", String(refused["refusal"])])).stdout;
  expect(why).toMatch(/^call [0-9a-f]{16}\n {2}git push here$/m);
  const granted = await follow(printedLine(why, "tama grant once"));
  expect((await follow(printedLine(granted.stderr, "tama calls retry"))).code).toBe(0);
  expect(await call("git push here")).toMatchObject({ verdict: "pass" });
});

test("where two hooks refused, and at an ending, tama why names the hooks to grant", async () => {
  await refuseWord("branches", "push", ["tool_call", "stop"]);
  await refuseWord("polite", "force");
  core = await startCore(world);
  const both = (await tama(world, ["why", String((await call("git push force"))["refusal"])])).stdout;
  expect(both.match(/tama grant once [^\n]*/g)).toEqual([
    `tama grant once --session ${session} --hook branches --because "<why>"`,
    `tama grant once --session ${session} --hook polite --because "<why>"`,
  ]);
  const ended = await core.dispatch("stop", { session, agentId: "a/b", agent: "main", answer: "push it" });
  const ending = (await tama(world, ["why", String(ended["refusal"])])).stdout;
  expect(ending).toContain(`session ${session}  subagent a/b\n`);
  await follow(printedLine(ending, "tama grant once"));
  expect(await core.dispatch("stop", { session, agentId: "a/b", agent: "main", answer: "push it" })).toMatchObject({
    verdict: "pass",
  });
  const log = await tama(world, ["log", "--session", session, "--agent", "a/b", "--json"]);
  expect(JSON.parse(log.stdout.split("\n")[0] ?? "")).toMatchObject({ session, agentId: "a/b", event: "stop" });
});

/** A printed command as a person runs it, the placeholder filled in. */
async function follow(line: string): Promise<CommandEnd> {
  const [, ...words] = line
    .trim()
    .replace(/"<[^"]*>"$/, "because")
    .split(" ");
  return await tama(world, words);
}

test("a person's reason is kept without its secrets, and what is printed can be pasted for any session", async () => {
  await refuseWord("branches", "push");
  core = await startCore(world);
  const odd = "a b;c";
  const payload = { session: odd, tool: "bash", input: { command: "git push" }, cwd: "/" };
  const refused = await core.dispatch("tool_call", { ...payload, call: "o1", message: "o1" });
  const held = await core.dispatch("tool_call", { ...payload, call: "o2", message: "o2" });
  expect([refused["blockedHookId"], held["blockedHookId"]]).toEqual(["branches", "repeat"]);
  const token = `ghp_${"a1B2".repeat(9)}`;
  const words = ["grant", "once", "--session", odd, "--call", String(held["call"]), "--because", `renewed ${token}`];
  const granted = await tama(world, words);
  expect(granted.stderr).toContain(`tama calls retry ${held["call"]} --session 'a b;c' --because`);
  const kept = readFileSync(join(world.home, "control", "grants.a%20b%3Bc.json"), "utf8");
  expect(kept).toContain("renewed ghp_[hidden by tama]");
});

test("what another gate refuses all the same, or what is cancelled, spends nothing", async () => {
  await refuseWord("branches", "push");
  await refuseWord("polite", "force");
  const slow = world.script("slow", `case "$(cat)" in *slowly*) echo waiting >&2; exec sleep 600 ;; esac`);
  await declareHook(world, { id: "slow", command: [slow] });
  core = await startCore(world);
  await grant("--hook", "branches");
  const both = await call("git push force");
  expect(both).toMatchObject({ verdict: "refuse" });
  expect(both["reason"]).toBe("no push\n\nno force");
  expect(grants()[0]?.spent).toBeNull();
  const id = core.begin("tool_call", {
    session,
    tool: "bash",
    input: { command: "push slowly" },
    call: "c-slow",
    message: "m-slow",
  });
  await core.progress(id, "waiting");
  await core.cancel(id);
  expect(await core.answer(id)).toMatchObject({ ok: false, cancelled: true });
  expect(grants()[0]?.spent).toBeNull();
  expect(await call("git push plainly")).toMatchObject({ verdict: "pass" });
  expect(grants()[0]?.spent).not.toBeNull();
});

test("a fault is never lifted, and a grants file that cannot be read leaves the refusal", async () => {
  await refuseWord("branches", "push");
  const dies = world.script("dies", `case "$(cat)" in *broken*) exit 9 ;; esac`);
  await declareHook(world, { id: "dies", command: [dies] });
  core = await startCore(world);
  await grant("--hook", "dies");
  await grant("--hook", "branches");
  expect(await call("broken")).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "dies" });
  expect(await call("push broken")).toMatchObject({ verdict: "refuse" });
  expect(grants().map(({ spent }) => spent)).toEqual([null, null]);
  writeFileSync(join(world.home, "control", `grants.${session}.json`), "{");
  expect(await call("git push now")).toMatchObject({ verdict: "refuse", blockedHookId: "branches" });
  expect(core.stderr()).toContain("grants.s1.json");
  rmSync(join(world.home, "control", `grants.${session}.json`));
});

test("of two calls at once one grant lets one through", async () => {
  await refuseWord("branches", "push");
  core = await startCore(world);
  await grant("--hook", "branches");
  const answers = await Promise.all(["git push 1", "git push 2", "git push 3"].map(call));
  expect(answers.filter((one) => one["verdict"] === "pass")).toHaveLength(1);
});

test("an ending a hook refuses may be granted too", async () => {
  await refuseWord("no-ends", "done", ["stop"]);
  core = await startCore(world);
  await grant("--hook", "no-ends");
  expect(await core.dispatch("stop", { session, answer: "done" })).toMatchObject({ verdict: "pass" });
  expect(await core.dispatch("stop", { session, answer: "done" })).toMatchObject({ verdict: "refuse" });
});

test("what names no call or no declared hook is refused with what there is; an agent that runs it is refused by the gate", async () => {
  await refuseWord("branches", "push");
  expect(await grant("--call", "zz")).toMatchObject({
    code: 1,
    stderr: 'grant once: "zz" is no call: 16 hexadecimal digits\n',
  });
  expect((await grant("--hook", "nobody")).stderr).toContain('no hook "nobody" is declared; there are branches');
  expect((await grant("--hook", "repeat")).stderr).toContain("tama calls retry");
  expect((await grant()).code).toBe(2);
  expect((await grant("--hook", "branches", "--call", "0123456789abcdef")).code).toBe(2);
  const declared = await tama(world, ["hooks", "declare", "block-gate-tampering"]);
  expect(declared.code).toBe(0);
  core = await startCore(world);
  const own = await call('tama grant once --session s1 --hook branches --because "let me"');
  expect(own).toMatchObject({ verdict: "refuse", blockedHookId: "block-gate-tampering" });
  expect(own["reason"]).toContain("a person runs it at their own terminal: tama grant once");
});

test("a canary is refused whatever is declared, and leaves nothing behind, also when an agent sends it", async () => {
  core = await startCore(world, { harness: "claude-code" });
  const before = [...new Bun.Glob("**").scanSync({ cwd: world.home })].sort();
  const payload = { session, tool: "tama_canary", input: { mark: "00ff" }, call: "c", message: "m" };
  for (const _each of [1, 2]) {
    const answer = await core.dispatch("tool_call", payload);
    expect(answer).toMatchObject({ verdict: "refuse", blockedHookId: "canary" });
    expect(answer["reason"]).toContain("TAMA_CANARY 00ff: refused by tama ");
  }
  expect([...new Bun.Glob("**").scanSync({ cwd: world.home })].sort()).toEqual(before);
});
