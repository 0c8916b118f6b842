import { timed } from "./figures.ts";

/** Starting `/bin/true` and waiting for its end: what any process costs here. */
export function spawnTrue(): Promise<number> {
  return timed(() => startTrue());
}

export function spawnTrueAtOnce(count: number): Promise<number> {
  return timed(() => Promise.all(Array.from({ length: count }, startTrue)));
}

function startTrue(): Promise<number> {
  return Bun.spawn(["/bin/true"], { env: {}, stdio: ["ignore", "ignore", "ignore"] }).exited;
}

/** Runs a command to its end with its output read, as a harness runs a hook; or dropped, where reading is not what is measured. */
export function runToEnd(
  command: readonly string[],
  request: {
    readonly environment: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly stdin?: string;
    readonly output?: "dropped";
  },
): Promise<number> {
  return timed(async () => {
    if (request.output === "dropped") {
      const { environment: env, cwd } = request;
      await Bun.spawn([...command], { env, cwd, stdio: ["ignore", "ignore", "ignore"] }).exited;
      return;
    }
    const child = Bun.spawn([...command], {
      env: request.environment,
      cwd: request.cwd,
      stdio: [request.stdin === undefined ? "ignore" : Buffer.from(request.stdin), "pipe", "pipe"],
    });
    await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  });
}
