import { closeSync } from "node:fs";
import { codeOf, done, failed, type Result } from "../base/result.ts";

/** A started program with three pipes of its own. Writing to one that has ended is no error: how it ended says the rest. */
export interface Started {
  readonly pid: number;
  readonly write: (bytes: string | Uint8Array) => void;
  readonly endInput: () => void;
  readonly output: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly errors: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly ended: Promise<Ending>;
}

export type Ending =
  | { readonly kind: "code"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string };

export interface StartRequest {
  readonly command: readonly string[];
  /** The name the process list shows in place of the command's first word. */
  readonly shownAs?: string;
  readonly cwd?: string;
  /** Always explicit: without it Bun hands over the environment of its own launch, whatever was deleted since. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Processes started here and not yet collected. */
export const startedHere: Set<number> = new Set();

/** Starts a person's command inside the caller's own group, keeping the descriptors in `keep` open from number 3 on. */
export function startInGroup(request: StartRequest, keep: readonly number[]): Result<Started> {
  return attempt(request, () =>
    started(Bun.spawn([...request.command], { ...options(request), stdio: ["pipe", "pipe", "pipe", ...keep] })),
  );
}

/** A supervisor, the leader of a group and session of its own; closing its channel ends that group. */
export interface StartedLeader extends Started {
  readonly closeChannel: () => void;
}

export function startLeader(request: StartRequest): Result<StartedLeader> {
  return attempt(request, () => {
    const child = Bun.spawn([...request.command], {
      ...options(request),
      ...(request.shownAs === undefined ? {} : { argv0: request.shownAs }),
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    const channel = child.stdio[3];
    if (typeof channel !== "number") throw new Error("the lifetime channel has no descriptor");
    let open = true;
    const closeChannel = (): void => {
      if (open) closeSync(channel);
      open = false;
    };
    return { ...started(child), closeChannel };
  });
}

function options(request: StartRequest): { cwd?: string; env: Record<string, string> } {
  return { ...(request.cwd === undefined ? {} : { cwd: request.cwd }), env: { ...request.environment } };
}

function attempt<T>(request: StartRequest, start: () => T): Result<T> {
  try {
    return done(start());
  } catch (thrown) {
    const code = codeOf(thrown) ?? String(thrown);
    return failed(
      `cannot start ${request.command[0] ?? ""}${request.cwd === undefined ? "" : ` in ${request.cwd}`}: ${code}`,
    );
  }
}

function started(child: Bun.Subprocess<"pipe", "pipe", "pipe">): Started {
  startedHere.add(child.pid);
  return {
    pid: child.pid,
    write: (bytes) => quietly(() => child.stdin.write(bytes)),
    endInput: () => quietly(() => child.stdin.end()),
    output: child.stdout,
    errors: child.stderr,
    ended: child.exited.then(() => {
      startedHere.delete(child.pid);
      return endingOf(child);
    }),
  };
}

/** A program may end without reading its input; how it ended says the rest. */
function quietly(write: () => unknown): void {
  try {
    Promise.resolve(write()).catch(() => {});
  } catch {
    // The reading end is gone.
  }
}

/**
 * A death by signal has no exit code; reading that as 0 would turn a kill into a pass. A real-time signal has a number for a
 * name.
 */
function endingOf(child: { readonly exitCode: number | null; readonly signalCode: string | number | null }): Ending {
  const { signalCode } = child;
  if (typeof signalCode === "number") return { kind: "signal", signal: `signal ${signalCode}` };
  if (signalCode !== null) return { kind: "signal", signal: signalCode };
  return child.exitCode === null
    ? { kind: "signal", signal: "a signal without a name" }
    : { kind: "code", code: child.exitCode };
}
