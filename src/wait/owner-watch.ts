import { every } from "../base/clock.ts";
import { type Incarnation, incarnationOf, stillRuns } from "../process/identity.ts";
import { type Process, platform } from "../process/platform.ts";

/**
 * Says when whoever waits for the answer is gone. A harness that is killed tells nobody: its shell may live on, and so would a wait. So the
 * own parent is looked for, and above it every shell up to the first program that is none: the harness, or a person's terminal.
 */
export function watchOwner(gone: () => void): () => void {
  const parent = process.ppid;
  const owners = ownersAbove(parent);
  const look = (): void => {
    if (process.ppid !== parent || owners.some((owner) => stillRuns(owner) === false)) gone();
  };
  look();
  return every(lookMs, look);
}

const lookMs = 200;

/** Where processes are not shown, the parent's own number is all that can be watched. */
function ownersAbove(parent: number): readonly Incarnation[] {
  const all = new Map((platform.processes() ?? []).map((one) => [one.pid, one]));
  const owners: Incarnation[] = [];
  let at = all.get(parent);
  while (at !== undefined && at.pid > 1 && owners.length < ownersMax) {
    owners.push(incarnationOf(at.pid));
    at = passesOn(at) ? all.get(at.parent) : undefined;
  }
  return owners;
}

const ownersMax = 16;

/** Programs that only run another one and wait for it. */
function passesOn(one: Process): boolean {
  const [program = ""] = one.command.split(" ");
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/^-/, "");
  return runners.has(name);
}

const runners: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh ash fish rbash busybox timeout gtimeout time sudo doas env nohup setsid nice".split(" "),
);
