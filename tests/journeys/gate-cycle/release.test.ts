import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Happening,
  type WrittenHarness,
  writtenHarnesses,
  writtenTranscript,
} from "../../cases/written-transcript.ts";
import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { declareHook, makeWorld, type World } from "../tama-command.ts";

/**
 * Gates that leave no step (spec: conduct gates), told to the built core under each harness: a stop refused twice by the same gate with
 * nothing done between is let through and kept as a cycle; a call that ran, a person's message, or a transcript that cannot be read keep it.
 */
let world: World;
let core: DrivenCore | null = null;
beforeEach(() => {
  world = makeWorld();
});
afterEach(async () => {
  await core?.close();
  core = null;
  world.remove();
});

interface Session {
  readonly stop: (answer?: string, more?: object) => Promise<Frame>;
  readonly happens: (...more: Happening[]) => void;
  readonly transcript: string;
  readonly record: () => Record<string, unknown>;
}

async function sessionOf(harness: WrittenHarness, body = 'echo "BLOCKED: work remains" >&2; exit 2'): Promise<Session> {
  const stop = [{ event: "stop" }];
  await declareHook(world, {
    id: "work-remains",
    command: [world.script("remains.sh", `cat >/dev/null; ${body}`)],
    on: stop,
  });
  const running = await startCore(world, { harness });
  core = running;
  const transcript = join(world.root, "s.jsonl");
  let story: Happening[] = [{ person: "do it" }];
  const write = (): void => writeFileSync(transcript, writtenTranscript(harness, story));
  write();
  return {
    transcript,
    happens: (...more) => {
      story = [...story, ...more];
      write();
    },
    stop: async (answer = "Done.", more = {}) => {
      story = [...story, { says: answer }];
      write();
      const given = await running.dispatch("stop", {
        session: "s",
        agent: "main",
        cwd: world.root,
        transcript,
        answer,
        ...more,
      });
      if (given["verdict"] === "refuse") story = [...story, { refusedStop: String(given["reason"]) }];
      write();
      return given;
    },
    record: () => JSON.parse(readFileSync(join(world.home, "sessions", "s.json"), "utf8")) as Record<string, unknown>,
  };
}

const ran = (command: string, text: string, isError = false): Happening => ({
  call: { tool: "bash", input: { command } },
  answer: { isError, text },
});
const refusedCall = ran("npm test", "BLOCKED: not this call", true);

for (const harness of writtenHarnesses) {
  test(`${harness}: an answer said again is let through, naming that; the next refusal is given in full again`, async () => {
    const session = await sessionOf(harness);
    expect(await session.stop()).toMatchObject({ verdict: "refuse", blockedHookId: "work-remains" });
    const released = await session.stop();
    expect(released).toMatchObject({ ok: true, verdict: "pass", cycle: { blockedHookId: "work-remains", calls: [] } });
    expect(released["notes"]).toStartWith("TAMA GATE CYCLE: the gates left this session no step");
    expect(released["notes"]).toContain("BLOCKED: work remains");
    expect(released["notes"]).toContain("it only answered again");
    expect(session.record()).toMatchObject({ blockedHookId: "work-remains", cycle: { blockedHookId: "work-remains" } });
    expect(session.record()["transcriptBytes"]).toBeNumber();
    expect(await session.stop()).toMatchObject({ verdict: "refuse" });
  });

  test(`${harness}: every refused call is named`, async () => {
    const session = await sessionOf(harness);
    await session.stop();
    session.happens(refusedCall);
    const released = await session.stop();
    expect(released["notes"]).toContain("npm test: BLOCKED: not this call");
    expect(session.record()).toMatchObject({ cycle: { calls: [{ said: "BLOCKED: not this call" }] } });
  });

  test(`${harness}: a call that ran and a person's message keep the refusal`, async () => {
    const session = await sessionOf(harness);
    await session.stop();
    session.happens(refusedCall, ran("ls", "a.ts"));
    expect(await session.stop()).toMatchObject({ verdict: "refuse" });
    session.happens({ person: "and now?" });
    expect(await session.stop()).toMatchObject({ verdict: "refuse" });
    session.happens(ran("npm test", "1 failed\n\nCommand exited with code 1", true));
    expect(await session.stop()).toMatchObject({ verdict: "refuse" });
  });

  test(`${harness}: a transcript that cannot be read or measured keeps the refusal, and is said`, async () => {
    const session = await sessionOf(harness);
    await session.stop();
    appendFileSync(session.transcript, "{torn\n");
    const again = { session: "s", agent: "main", cwd: world.root, transcript: session.transcript, answer: "Done." };
    expect(await core?.dispatch("stop", again)).toMatchObject({ verdict: "refuse" });
    expect(core?.stderr()).toContain("is not a JSON record");
    expect(await core?.dispatch("stop", { ...again, transcript: `${session.transcript}.gone` })).toMatchObject({
      verdict: "refuse",
    });
  });
}

test("omp: a file replaced since the last stop is found again by its last entry's id", async () => {
  const session = await sessionOf("omp");
  await session.stop();
  const text = readFileSync(session.transcript, "utf8");
  const grown = text.replace('"role":"user"', '"retryRecovery":{"attempts":1,"why":"a broken stream"},"role":"user"');
  writeFileSync(`${session.transcript}.new`, grown);
  renameSync(`${session.transcript}.new`, session.transcript);
  const again = { session: "s", cwd: world.root, transcript: session.transcript, answer: "Done." };
  expect(await core?.dispatch("stop", again)).toMatchObject({ verdict: "pass", cycle: { calls: [] } });
});

test("the provider's refusal of the request lets the stop through beside the gates' own decision", async () => {
  const session = await sessionOf("omp");
  const message = {
    role: "assistant",
    content: [],
    stopReason: "error",
    errorMessage: "400 invalid_request_error: too long",
  };
  appendFileSync(session.transcript, `${JSON.stringify({ type: "message", id: "e1", message })}\n`);
  const stop = { session: "s", cwd: world.root, transcript: session.transcript, answer: "" };
  const answer = await core?.dispatch("stop", stop);
  expect(answer).toMatchObject({ verdict: "pass", providerRefusal: { blockedHookId: "work-remains" } });
  expect(answer?.["notes"]).toContain("400 invalid_request_error: too long");
  expect(session.record()).toMatchObject({
    blockedHookId: "work-remains",
    providerRefusal: { errorMessage: "400 invalid_request_error: too long" },
  });
});

test("a gate that is down refuses in full once and cannot trap a session", async () => {
  const session = await sessionOf("omp", "exit 3");
  expect(await session.stop()).toMatchObject({ verdict: "refuse", infrastructure: true });
  expect(await session.stop()).toMatchObject({ verdict: "pass", cycle: { blockedHookId: "work-remains" } });
});

test("a session record that cannot be read refuses once and lets through what was sent back", async () => {
  const session = await sessionOf("omp");
  await session.stop();
  writeFileSync(join(world.home, "sessions", "s.json"), "{broken");
  session.happens(ran("ls", "a.ts"));
  const stop = { session: "s", cwd: world.root, transcript: session.transcript, answer: "Done." };
  expect(await core?.dispatch("stop", { ...stop, stopHookActive: false })).toMatchObject({ verdict: "refuse" });
  const passed = await core?.dispatch("stop", { ...stop, stopHookActive: true });
  expect(passed).toMatchObject({ verdict: "pass" });
  expect(passed?.["notes"]).toContain("cannot decode");
});

test("a gate that is down where no step can be told refuses once and lets through what was sent back; a refusal stands", async () => {
  const down = await sessionOf("codex", "exit 3");
  const nowhere = { session: "s", cwd: world.root, answer: "Done." };
  for (const [where, cause] of [
    [{ transcript: null }, "this stop names no transcript"],
    [{ transcript: `${down.transcript}.gone` }, "it was not there at the last stop"],
  ] as const) {
    const stop = { ...nowhere, ...where };
    const first = await core?.dispatch("stop", { ...stop, stopHookActive: false });
    expect(first).toMatchObject({ verdict: "refuse", infrastructure: true });
    const passed = await core?.dispatch("stop", { ...stop, stopHookActive: true });
    expect(passed).toMatchObject({ verdict: "pass" });
    expect(passed?.["notes"]).toContain(cause);
    expect(passed?.["notes"]).toContain("TAMA_HOOK_INFRASTRUCTURE: work-remains: ");
  }
  await core?.close();
  await sessionOf("codex");
  for (const stopHookActive of [false, true, true])
    expect(await core?.dispatch("stop", { ...nowhere, stopHookActive })).toMatchObject({ verdict: "refuse" });
});
