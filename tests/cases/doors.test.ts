import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { factLoader } from "../../src/facts/load-facts.ts";
import { runGate } from "../../src/gates/run-gate.ts";
import { type DrivenCore, startCore } from "../journeys/core-driver.ts";
import { makeWorld, tama, type World } from "../journeys/tama-command.ts";
import { readEpisodes } from "./episode.ts";
import { type ReplayedVerdict, replayedVerdicts } from "./replayed.ts";
import { type Happening, writtenTranscript } from "./written-transcript.ts";

/**
 * Every gate is one function behind several doors (contract 4): asked as a function, by `tama hook`, by a core through its pool of
 * processes, and by `tama replay` over the finished transcript, each case gets the same verdict and the same words, byte for byte.
 */
interface Case {
  readonly gate: string;
  readonly name: string;
  readonly story: readonly Happening[];
  readonly event: Newest;
  /** Bytes put behind the story. */
  readonly behind?: string;
  /** Why replay lets it pass all the same (docs/replay.md). */
  readonly notInReplay?: string;
}

type Newest =
  | { readonly event: "tool_call"; readonly tool: string; readonly input: unknown; readonly call: string }
  | { readonly event: "stop"; readonly answer: string };

const ran = (command: string, text = "ok"): Happening => ({
  call: { tool: "bash", input: { command } },
  answer: { isError: false, text },
});
const asks = (command: string): Newest => ({ event: "tool_call", tool: "bash", input: { command }, call: "now" });
const ends = (answer: string): Newest => ({ event: "stop", answer });
const sentBack: readonly Happening[] = [ran("cat a"), { says: "All is done." }, { refusedStop: "not yet" }];
const handed = readFileSync(join(import.meta.dir, "handed.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as { name: string; ran: string[]; answer: string });

const cases: readonly Case[] = [
  ...readEpisodes("calls.jsonl").map(({ name, steps, then }) => ({
    gate: "block-wait-polling",
    name,
    story: steps,
    event: { event: "tool_call" as const, tool: then.tool, input: then.input, call: "now" },
  })),
  {
    gate: "block-wait-polling",
    name: "an answer with every kind of character",
    story: [ran("cat odd", "\u001b[31mred\u0007 \u202e \u0000 ü \ud83d\ude00 \t tab\n\n  end ")],
    event: asks("cat odd"),
  },
  { gate: "block-wait-polling", name: "a broken line", story: [ran("ls")], behind: "{broken\n", event: asks("ls") },
  { gate: "block-idle-answer", name: "no work since", story: sentBack, event: ends("All is done.") },
  { gate: "block-idle-answer", name: "work since", story: [...sentBack, ran("make")], event: ends("All is done.") },
  { gate: "block-idle-answer", name: "a broken line", story: sentBack, behind: "{broken\n", event: ends("Done.") },
  { gate: "block-gate-tampering", name: "withdrawing", story: [], event: asks("tama hooks withdraw --all") },
  { gate: "block-gate-tampering", name: "looking", story: [], event: asks("tama hooks declared") },
  ...handed.map(({ name, ran: lines, answer }) => ({
    gate: "block-unchecked-operator-commands",
    name,
    story: lines.map((line) => ran(line)),
    event: ends(answer),
  })),
  { gate: "block-stop-on-own-work", name: "said again", story: sentBack, event: ends("All is done!") },
  { gate: "block-stop-on-own-work", name: "a plea", story: [], event: ends("Please run it.") },
  {
    gate: "block-stop-on-own-work",
    name: "no attestation",
    story: [],
    event: ends("It is built."),
    notInReplay: "a session that was never told of an attestation owes none",
  },
];
const gates = [...new Set(cases.map((one) => one.gate))];

let world: World;
const replayed = new Map<string, ReplayedVerdict>();
const cores = new Map<string, DrivenCore>();
const worlds: World[] = [];

beforeAll(async () => {
  world = makeWorld();
  worlds.push(world);
  // Replay takes every program to be there, a clipboard too; so is it here for every other door.
  world.script("bin/pbcopy", "cat");
  for (const gate of gates) {
    const own = makeWorld();
    worlds.push(own);
    expect(await tama(own, ["hooks", "declare", gate])).toMatchObject({ code: 0 });
    cores.set(gate, await startCore(own, { environment: environmentOf(gate), cwd: world.root }));
    await replay(gate);
  }
});
afterAll(async () => {
  for (const core of cores.values()) await core.close();
  for (const one of worlds) one.remove();
});

for (const [at, one] of cases.entries()) {
  test(`${one.gate}: ${one.name}`, async () => {
    const transcript = join(world.root, `s${at}.jsonl`);
    writeFileSync(transcript, writtenTranscript("omp", one.story, world.root) + (one.behind ?? ""));
    const payload = { ...one.event, session: `s${at}`, agent: "main", cwd: world.root, transcript };
    const stdin = JSON.stringify({ ...payload, tama: { harness: "omp" } });
    const core = cores.get(one.gate);
    if (core === undefined) throw new Error(one.gate);
    const environment = environmentOf(one.gate);
    const load = factLoader({
      tamaHome: homeOf(one.gate),
      userHome: world.root,
      cwd: world.root,
      environment,
      clock: systemClock,
    });

    const asFunction = await runGate(one.gate, stdin, load);
    const asCommand = await tama(world, ["hook", one.gate], { stdin, environment });
    const { event, ...rest } = payload as { event?: string };
    const inPool = await core.dispatch(event ?? "", rest);

    expect({ code: asCommand.code, said: asCommand.stderr }).toEqual({
      code: asFunction.code,
      said: asFunction.stderr === "" ? "" : `${asFunction.stderr}\n`,
    });
    expect({ verdict: inPool["verdict"], reason: inPool["reason"] }).toEqual(
      asFunction.code === 2 ? { verdict: "refuse", reason: asFunction.stderr } : { verdict: "pass", reason: undefined },
    );

    const byReplay = replayed.get(finished(one.gate, at));
    if (one.behind !== undefined)
      expect(asFunction.stderr).toContain(byReplay?.kind === "stopped" ? byReplay.cause : "what replay stopped at");
    else if (asFunction.code === 2 && one.notInReplay === undefined)
      expect(byReplay).toEqual({ kind: "refuse", reason: asFunction.stderr });
    else expect(byReplay).toEqual({ kind: "pass" });
  });
}

/** Plays the same stories as finished transcripts: the call or ending that the other doors are asked about is their last record. */
async function replay(gate: string): Promise<void> {
  const before = new Map<string, number>();
  for (const [at, one] of cases.entries()) {
    if (one.gate !== gate) continue;
    const { event } = one;
    const newest: Happening =
      event.event === "stop"
        ? { says: event.answer }
        : { call: { tool: event.tool, input: event.input }, answer: null };
    const path = finished(gate, at);
    mkdirSync(dirname(path), { recursive: true });
    const story = writtenTranscript("omp", one.story, world.root);
    const whole = writtenTranscript("omp", [...one.story, newest], world.root);
    writeFileSync(path, story + (one.behind ?? "") + whole.slice(story.length));
    before.set(path, Buffer.byteLength(story));
  }
  const own = { ...world, environment: environmentOf(gate) };
  for (const [path, verdict] of await replayedVerdicts(own, gate, join(world.root, gate), before))
    replayed.set(path, verdict);
}

/** Replay takes a session's name from its file. */
function finished(gate: string, at: number): string {
  return join(world.root, gate, `s${at}.jsonl`);
}

function environmentOf(gate: string): Record<string, string> {
  const path = `${join(world.root, "bin")}:${world.environment["PATH"]}`;
  return { ...world.environment, PATH: path, TAMA_HOME: homeOf(gate) };
}

/** Each gate's core has a home of its own; worlds are made in the same order. */
function homeOf(gate: string): string {
  const index = gates.indexOf(gate);
  return worlds[index + 1]?.home ?? "";
}
