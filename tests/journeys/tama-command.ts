import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The built program under test: TAMA_TEST_BINARY, else the one that `bun run build` makes. */
export const tamaBinary: string = process.env["TAMA_TEST_BINARY"] ?? join(import.meta.dir, "../../dist/tama");

/** One test's own world: a TAMA_HOME, a folder to work in and an environment that reaches nothing of the person's own. */
export interface World {
  /** TAMA_HOME. */
  readonly home: string;
  /** Everything of this world lies in it; also HOME. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Writes a file below `root` and returns its absolute path. */
  readonly write: (name: string, text: string, mode?: number) => string;
  /** Writes an executable `sh` script. */
  readonly script: (name: string, body: string) => string;
  readonly remove: () => void;
}

export function makeWorld(environment: Readonly<Record<string, string>> = {}): World {
  const root = mkdtempSync(join(tmpdir(), "tama-test-"));
  const home = join(root, "tama-home");
  const write = (name: string, text: string, mode = 0o600): string => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  return {
    home,
    root,
    environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: root, TAMA_HOME: home, ...environment },
    write,
    script: (name, body) => write(name, `#!/bin/sh\n${body}\n`, 0o755),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandRequest {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Words put before the program: a sandbox, or `strace`. */
  readonly under?: readonly string[];
}

/** Runs `tama <words>` in a world to its end. */
export async function tama(world: World, words: readonly string[], request: CommandRequest = {}): Promise<CommandEnd> {
  const child = Bun.spawn([...(request.under ?? []), tamaBinary, ...words], {
    env: { ...world.environment, ...request.environment },
    cwd: request.cwd ?? world.root,
    stdin: request.stdin === undefined ? "ignore" : new Blob([request.stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const signal = child.signalCode === null ? null : String(child.signalCode);
  return { code: signal === null ? child.exitCode : null, signal, stdout, stderr };
}

export interface HookToDeclare {
  readonly id: string;
  readonly command: readonly string[];
  /** Default: every tool_call. */
  readonly on?: readonly object[];
  readonly contract?: "tama" | "claude-code";
}

/** Declares a person's command hook through the real command; throws its words when it refuses. */
export async function declareHook(world: World, hook: HookToDeclare): Promise<void> {
  const declaration = {
    id: hook.id,
    says: `the hook ${hook.id} of a test`,
    on: hook.on ?? [{ event: "tool_call", tools: ["*"] }],
    program: { command: hook.command, ...(hook.contract === undefined ? {} : { contract: hook.contract }) },
  };
  const file = world.write(`declarations/${hook.id}.json`, JSON.stringify(declaration));
  const ended = await tama(world, ["hooks", "declare", "--file", file]);
  if (ended.code !== 0) throw new Error(`hooks declare: exit ${ended.code}: ${ended.stderr}`);
}
