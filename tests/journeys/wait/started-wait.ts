import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type CommandEnd, tamaBinary, type World } from "../tama-command.ts";
import { until } from "../until.ts";

/** A `tama wait` that a test started and watches. */
export interface StartedWait {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** Starts `tama wait <words>` in a world, `under` other words where a test puts something between. */
export function startWait(world: World, words: readonly string[], under: readonly string[] = []): StartedWait {
  const child = Bun.spawn([...under, tamaBinary, "wait", ...words], {
    env: world.environment,
    cwd: world.root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const ended = Promise.all([child.stdout.text(), child.stderr.text(), child.exited]).then(
    ([stdout, stderr]): CommandEnd => {
      const signal = child.signalCode === null ? null : String(child.signalCode);
      return { code: signal === null ? child.exitCode : null, signal, stdout, stderr };
    },
  );
  return { pid: child.pid, ended, kill: (signal) => child.kill(signal) };
}

/** A script that counts its runs in the file `runs` before it does `body`. */
export function countingScript(world: World, name: string, body: string): string {
  return world.script(name, `echo x >> ${join(world.root, "runs")}\n${body}`);
}

export function runsSoFar(world: World): number {
  const file = join(world.root, "runs");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

/** The run numbered `count` has ended when the one after it begins. */
export async function afterRun(world: World, count: number): Promise<void> {
  await until(`run ${count + 1}`, () => runsSoFar(world) > count);
}

/** Replaces a file at once: a command that reads it meanwhile sees the old text or the new one, never a part of each. */
export function replace(world: World, name: string, text: string, mode?: number): void {
  renameSync(world.write(`${name}.new`, text, mode), join(world.root, name));
}
