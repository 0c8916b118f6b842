import { readFileSync } from "node:fs";
import { inTurn, type Row, rowOf } from "./figures.ts";
import { callOf, type Ground, makeBed, warm } from "./ground.ts";

/** From the cancel sent to the whole group gone, with a hook that waits on two children, beside SIGKILL to a bare group of the same script. */
export async function cancelling(ground: Ground): Promise<readonly Row[]> {
  const body = 'sleep 600 & one=$!\nsleep 600 & echo "pids $$ $one $!" >&2\nwait';
  const bed = await makeBed(ground, (world) => [
    { id: "bench-waiting", program: { command: [world.script("waiting.sh", body)] } },
  ]);
  const { world, core } = bed;
  let number = 0;
  const supervised = async (): Promise<number> => {
    const said = Promise.withResolvers<string>();
    core.onProgress((line) => said.resolve(String(line["line"])));
    const running = core.begin("tool_call", callOf({ session: "s", number: ++number, cwd: world.root }).call);
    const pids = pidsIn(await said.promise);
    const from = performance.now();
    const cancelled = core.ask({ op: "cancel", dispatchId: running.id });
    await allGone(pids);
    const took = performance.now() - from;
    await Promise.all([cancelled, running.answer]);
    return took;
  };
  const bare = async (): Promise<number> => {
    const child = Bun.spawn([`${world.root}/waiting.sh`], {
      env: world.environment,
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const first = await child.stderr.getReader().read();
    const pids = pidsIn(Buffer.from(first.value ?? []).toString());
    const from = performance.now();
    process.kill(-child.pid, "SIGKILL");
    await allGone(pids);
    const took = performance.now() - from;
    await child.exited;
    return took;
  };
  try {
    await supervised();
    const samples = await inTurn(Math.ceil(ground.rounds / 2), supervised, bare, () => warm(world, 1));
    return [
      rowOf({
        name: "cancel → whole group gone",
        beside: "SIGKILL to a bare group of the same script",
        samples,
        times: 3,
        tail: { ms: 10 },
      }),
    ];
  } finally {
    await bed.close();
  }
}

function pidsIn(line: string): readonly number[] {
  return [...line.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

/** Looks without a pause: a wait of milliseconds between looks would be longer than what is measured. */
async function allGone(pids: readonly number[]): Promise<void> {
  while (!pids.every(isGone)) await new Promise((resolve) => setImmediate(resolve));
}

/** Ended, collected or not: a zombie runs nothing. */
function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return true;
  }
}
