import { expect } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { availableClients } from "../../clients/install.ts";
import { type CommandEnd, tamaBinary } from "../tama-command.ts";
import { attested } from "./acts.ts";
import { noteRefusal } from "./printed.ts";

/** What the model does next, in no agent's own words. */
export type Act =
  | { readonly say: string }
  | { readonly shell: string }
  | { readonly write: readonly [name: string, content: string] }
  | { readonly read: string }
  /** Hands work to a subagent, in these words. */
  | { readonly delegate: string };

/** Words by which a request of the subagent is known: they stand in what it is given. */
export const subagentMark = "[[subagent]]";

/**
 * One session, told as it goes: each `yield` is what the model does, and gives what the model is told of it, word for word. What it returns
 * is the ending that has to come through.
 */
export type Play = (place: Place) => AsyncGenerator<Act, { readonly say: string }, string>;

/** Where a play takes place: a real agent with all gates of the preset declared, and a person beside it. */
export interface Place {
  readonly work: string;
  readonly tamaHome: string;
  readonly tools: Tools;
  /** A person at their own terminal, elsewhere than the session: runs one line, which must succeed. */
  readonly person: (line: string) => Promise<CommandEnd>;
  /** The transcript of who plays, the session or its subagent, once the agent wrote one. */
  readonly transcript: () => string;
  /** The commands of this place's living processes. */
  readonly running: () => readonly string[];
}

export interface Agent extends Place {
  /** Starts a session whose model asks `next` what to do; `subagent`: it is the subagent who asks. */
  readonly start: (next: Next) => {
    readonly stop: () => void;
    readonly ended: Promise<CommandEnd>;
  };
  /** The transcript of the session's subagent. */
  readonly subagentTranscript: () => string;
  readonly close: () => Promise<void>;
}

export type Next = (told: string, subagent: boolean) => Promise<Act>;

/** The first folder of the agent's PATH: `tama` itself, and what a play puts there in place of programs this machine lacks. */
export interface Tools {
  readonly folder: string;
  /** PATH with this folder before the agent's own. */
  readonly path: string;
  readonly put: (name: string, script: string) => void;
  readonly take: (name: string) => void;
}

export async function makeTools(): Promise<Tools> {
  const found = await availableClients();
  const folder = mkdtempSync(join(tmpdir(), "tama-ways-out-"));
  symlinkSync(resolve(tamaBinary), join(folder, "tama"));
  return {
    folder,
    path: `${folder}:${"unavailable" in found ? "" : `${found.binFolder}:`}/usr/local/bin:/usr/bin:/bin`,
    put: (name, script) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    },
    take: (name) => rmSync(join(folder, name), { force: true }),
  };
}

/** Plays one session to its end: it must end as the play says, and because the gates let it, not because they gave up. */
export async function playSession(agent: Agent, play: Play): Promise<void> {
  const steps = play(agent);
  let ending: string | null = null;
  const ended = await answering(agent, async (told, subagent) => {
    if (subagent) throw new Error(`nobody was to help:\n${told}`);
    if (ending !== null) throw new Error(`the ending was sent back:\n${told}`);
    noteRefusal(told);
    const next = await steps.next(told);
    if (next.done === true) ending = next.value.say;
    return next.value;
  });
  expect([ended.code, ended.stderr, ending === null]).toEqual([0, expect.any(String), false]);
  expect(ended.stdout).toContain(String(ending).split("\n")[0] ?? "");
  expect(releases(agent.tamaHome)).toEqual([]);
}

/** Plays a subagent to its end, within a session that hands its work to it and then ends. */
export async function playSubagent(agent: Agent, play: Play): Promise<void> {
  const steps = play({ ...agent, transcript: agent.subagentTranscript });
  let ending: string | null = null;
  let asked = 0;
  const ended = await answering(agent, async (told, subagent) => {
    if (!subagent)
      return asked++ === 0 ? { delegate: `${subagentMark} do the work` } : attested("The subagent did it.");
    if (ending !== null) return { say: "The work is done." };
    noteRefusal(told);
    const next = await steps.next(told);
    if (next.done === true) ending = next.value.say;
    return next.value;
  });
  expect([ended.code, ended.stderr, ending === null]).toEqual([0, expect.any(String), false]);
}

/** A session whose model says what `next` gives. What goes wrong there ends the session, and is thrown when it has ended. */
async function answering(agent: Agent, next: Next): Promise<CommandEnd> {
  let broke: Error | null = null;
  const session = agent.start(async (told, subagent) => {
    try {
      return await next(told, subagent);
    } catch (thrown) {
      broke ??= thrown instanceof Error ? thrown : new Error(String(thrown));
      session.stop();
      return { say: "the play broke off" };
    }
  });
  const ended = await session.ended;
  if (broke !== null) throw broke;
  return ended;
}

/** Stops that the core let through although a gate refused them. */
function releases(tamaHome: string): readonly string[] {
  const folder = join(tamaHome, "sessions");
  if (!existsSync(folder)) return [];
  const records = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return records.filter((text) => /"(cycle|providerRefusal)":\{/.test(text));
}

/** A person's shell, in a folder of their own. */
export async function atTerminal(line: string, environment: Readonly<Record<string, string>>): Promise<CommandEnd> {
  const child = Bun.spawn(["/bin/sh", "-c", line], {
    cwd: tmpdir(),
    env: { ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([line, child.exitCode, stderr]).toEqual([line, 0, expect.any(String)]);
  return { code: child.exitCode, signal: null, stdout, stderr };
}
