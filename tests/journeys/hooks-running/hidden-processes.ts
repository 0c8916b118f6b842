import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A sandbox in which no process can look at another: /proc holds nothing but the caller's own entry. A compiled Bun needs that one
 * (its engine reads its own memory map at start), so a bare empty /proc would only show that Bun cannot start.
 */
export interface HiddenProcesses {
  /** Words that go before a program. */
  readonly under: readonly string[];
  /** The script that makes the sandbox, for a report. */
  readonly profile: string;
  readonly remove: () => void;
}

export function hideProcesses(): HiddenProcesses {
  const kept = mkdtempSync(join(tmpdir(), "tama-own-proc-"));
  const profile = [
    "set -e",
    `mount --bind /proc ${kept}`,
    "mount -t tmpfs -o mode=755 tmpfs /proc",
    `ln -s ${kept}/self /proc/self`,
    'exec "$@"',
  ].join("\n");
  const unshare = ["unshare", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--mount"];
  return {
    under: [...unshare, "sh", "-c", profile, "hidden-processes"],
    profile,
    remove: () => rmSync(kept, { recursive: true, force: true }),
  };
}

/** Why the sandbox cannot be had here, or null when it can. */
export function whyNoSandbox(): string | null {
  if (process.platform !== "linux") return "process information can be denied by unshare on Linux only";
  const hidden = hideProcesses();
  try {
    const ran = Bun.spawnSync([...hidden.under, "sh", "-c", "test ! -e /proc/1 && test -e /proc/self/maps"], {
      stderr: "pipe",
    });
    return ran.exitCode === 0 ? null : `unshare is not permitted here: ${ran.stderr.toString().trim().split("\n")[0]}`;
  } catch (thrown) {
    return `unshare cannot be started: ${String(thrown)}`;
  } finally {
    hidden.remove();
  }
}
