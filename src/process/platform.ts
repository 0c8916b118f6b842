import { darwin } from "./darwin.ts";
import { linux } from "./linux.ts";

/**
 * What Tama asks of the kernel beyond Bun. One object a platform; nothing above this file knows which one runs.
 * Liveness is always pid + kernel start time: a pid alone is a guess, since the kernel hands it out again.
 */
export interface Platform {
  readonly name: "linux" | "darwin";
  /** Takes an exclusive advisory lock without waiting. Throws with the errno when the file cannot be locked at all. */
  readonly tryLock: (descriptor: number) => "taken" | "held";
  readonly unlock: (descriptor: number) => void;
  /** A path that starts the very program that runs now, also after its file was replaced or removed; `path` where the kernel has none. */
  readonly sameProgram: (path: string) => string;
  /** The process group of the caller. */
  readonly ownGroup: () => number;
  /**
   * Makes the kernel end the caller's whole group with SIGKILL once the other end of `channel` closes, busy or stopped.
   * False where the kernel cannot: then a watcher process in the group must do it.
   */
  readonly armGroupEnd: (channel: number) => boolean;
  /** True when the other end of `channel` has closed, or wrote on it, which counts the same. */
  readonly channelEnded: (channel: number) => boolean;
  /** Makes orphans of the caller's descendants its own children. False where the kernel cannot. */
  readonly adoptOrphans: () => boolean;
  /** The caller's children now, or null where the kernel does not say. */
  readonly ownChildren: () => readonly number[] | null;
  /** Collects one ended child that Bun does not know. */
  readonly collect: (pid: number) => void;
  /** Collects the caller's ended children in that group. `some` = one has not ended yet. Bun must not know any of them. */
  readonly collectFromGroup: (leader: number) => "none" | "some";
  /** The session a process is in, or null when it is gone. */
  readonly sessionOf: (pid: number) => number | null;
  readonly startOf: (pid: number) => Start;
  /**
   * Whether a start recorded elsewhere can be compared here at all: in another pid namespace (a container that shares TAMA_HOME) the
   * same number is another process, which proves nothing about the recorded one.
   */
  readonly comparable: (start: string) => boolean;
  readonly processes: () => readonly Process[] | null;
  /** The TAMA_BIRTH a process was started with, or null when it has none or it cannot be read. */
  readonly birthTagOf: (pid: number) => string | null;
  /** Whether a process holds the file's advisory lock. False where that cannot be seen. `path` has no symbolic link in it. */
  readonly holdsLock: (pid: number, path: string) => boolean;
}

/** When the kernel says a pid started, as an opaque token compared for equality only. */
export type Start =
  | { readonly kind: "started"; readonly start: string; readonly ended: boolean }
  | { readonly kind: "gone" }
  | { readonly kind: "unknown"; readonly cause: string };

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
  /** A zombie: it has ended, its parent has not asked yet. */
  readonly ended: boolean;
  readonly command: string;
}

export const platform: Platform = process.platform === "darwin" ? darwin : linux;
