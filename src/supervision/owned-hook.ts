import { fstatSync } from "node:fs";
import * as v from "valibot";
import { readSome, sayOnStderr, writeAll } from "../base/descriptors.ts";
import { lineBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { adoptOrphans } from "../process/adopted.ts";
import { ownIncarnation } from "../process/identity.ts";
import { platform } from "../process/platform.ts";
import { startInGroup } from "../process/start.ts";
import { startWatcher } from "../process/watcher.ts";
import { type Assignment, assignmentSchema, type SupervisorLine } from "../words/supervised.ts";
import { recordBirth } from "./birth.ts";
import { type Following, followHook } from "./follow-hook.ts";

/**
 * `tama owned-hook`: the process that owns one hook. Theory of operation:
 * 1. It refuses to run without the core's lifetime channel (descriptor 3) or when it does not lead its own group.
 * 2. It arms the channel: once the core's end closes, by intent or by the core's death, the whole group is killed by the kernel.
 * 3. It writes its birth record, synced, renamed and locked, and says so. Only then may a hook come.
 * 4. It waits, blocked and idle, for one assignment, adds it to its record, and runs the hook inside its own group.
 * 5. After the hook has ended it ends what the hook left behind, also what left the group, says how the hook ended, and waits to
 *    be ended: the core kills the group while its number cannot have been given away.
 */
export type GateDoor = (gate: string, stdin: string) => Promise<GateEnding>;

/** How a built-in gate ended, in the terms of a hook's own contract: 0 pass, 2 refuse, 70 infrastructure. */
export interface GateEnding {
  readonly code: 0 | 2 | 70;
  readonly stdout: string;
  readonly stderr: string;
}

export interface OwnedHookRequest {
  readonly birth: string;
  readonly inFlight: string;
  readonly corePid: number;
  readonly coreStart: string | null;
  readonly gateDoor: GateDoor;
  /** Loads what a gate needs, and runs through it once, before one is asked. */
  readonly readyGates: () => Promise<void>;
}

/** @returns the exit code; 1 with one line on stderr when refused */
export async function ownedHook(request: OwnedHookRequest | null): Promise<number> {
  const refusal = refusalToOwn();
  if (refusal !== null || request === null) {
    sayOnStderr(`owned-hook: ${refusal ?? "started without a birth identity; only a Tama core starts it"}`);
    return 1;
  }
  const watcher = platform.armGroupEnd(channel) ? null : startWatcher(channel);
  if (watcher !== null && !watcher.ok) return unborn(watcher.cause);
  if (platform.channelEnded(channel)) return 0;
  const adoption = adoptOrphans({ spared: watcher === null ? [] : [watcher.value], sparesOwnSession: false });
  // Ahead of need there is time to load the gates; where an assignment is here already, its hook waits. Born means ready.
  if (!platform.channelEnded(input)) await rehearse(request);
  const own = ownIncarnation();
  const record = recordBirth(request.inFlight, {
    hookBirthIdentity: request.birth,
    pid: own.pid,
    pgid: own.pid,
    start: own.start,
    core: { pid: request.corePid, start: request.coreStart },
  });
  if (!record.ok) return unborn(record.cause);
  say({ says: "born" });
  const assignment = await waitForAssignment();
  if (assignment === null) return 0;
  if (!assignment.ok) return unborn(assignment.cause);
  const word = await run(assignment.value, {
    birth: request.birth,
    record: record.value,
    gateDoor: request.gateDoor,
    adoption,
  });
  // The core ends this process when it has the time; an inspector must not take it for a running hook until then.
  record.value.append({ ended: true });
  say(word);
  waitToBeEnded();
  return 0;
}

const input = 0;
const channel = 3;

function refusalToOwn(): string | null {
  if (!isSocket(channel)) return `no inherited core channel on descriptor ${channel}; only a Tama core starts it`;
  const group = platform.ownGroup();
  if (group !== process.pid)
    return `process ${process.pid} does not lead its own process group (it is in group ${group}); only a Tama core starts it`;
  return null;
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false;
  }
}

function unborn(cause: string): number {
  say({ says: "unborn", cause });
  return 1;
}

function say(line: SupervisorLine): void {
  try {
    writeAll(1, `${JSON.stringify(line)}\n`);
  } catch {
    // The core is gone; the kernel ends this group.
  }
}

/** Blocks the whole process, which costs nothing while it idles; the kernel's kill needs no event loop. Null = the core let go. */
async function waitForAssignment(): Promise<Result<Assignment> | null> {
  const lines = new LineCutter(2 * lineBytesMax);
  for (;;) {
    const chunk = readSome(input, 65536);
    if (chunk.length === 0) return null;
    const line = lines.push(chunk)[0];
    if (line === undefined) continue;
    if (line === null) return failed("the assignment is over the line limit");
    return readAssignment(line.toString());
  }
}

/** What has run once runs many times faster; a rehearsal that fails is no concern of the hook that is to come. */
async function rehearse(request: OwnedHookRequest): Promise<void> {
  const program = { gate: "none" };
  const shape = { hook: "", command: "", session: null, dispatch: "", at: "", program, cwd: null, environment: {} };
  for (let time = 0; time < 2; time++) readAssignment(JSON.stringify({ ...shape, stdin: "" }));
  await request.readyGates().catch(() => {});
}

function readAssignment(line: string): Result<Assignment> {
  try {
    const value: unknown = JSON.parse(line);
    const parsed = v.safeParse(assignmentSchema, value);
    return parsed.success ? done(parsed.output) : failed(`the assignment does not fit: ${parsed.issues[0].message}`);
  } catch (thrown) {
    return failed(`the assignment is no JSON: ${causeOf(thrown)}`);
  }
}

/** What a run needs beside its assignment. */
interface Owner extends Following {
  readonly birth: string;
  readonly gateDoor: GateDoor;
}

async function run(assignment: Assignment, owner: Owner): Promise<SupervisorLine> {
  const { hook, command, session, dispatch, at, program } = assignment;
  const noted = owner.record.append({ hook, command, session, dispatch, at });
  if (!noted.ok) return { says: "unstarted", cause: noted.cause };
  if ("gate" in program) {
    const ending = await owner.gateDoor(program.gate, assignment.stdin);
    return { says: "ended", signal: null, ...ending };
  }
  const started = startInGroup(
    {
      command: program.command,
      environment: { ...assignment.environment, TAMA_BIRTH: owner.birth },
      ...(assignment.cwd === null ? {} : { cwd: assignment.cwd }),
    },
    [channel, owner.record.descriptor],
  );
  return started.ok
    ? await followHook(started.value, assignment.stdin, owner)
    : { says: "unstarted", cause: started.cause };
}

function waitToBeEnded(): void {
  while (readSome(input, 4096).length > 0) {
    // Nothing more is expected; the end of input means the core is gone.
  }
}
