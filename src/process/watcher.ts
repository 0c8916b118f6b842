import { causeOf, done, failed, type Result } from "../base/result.ts";

/**
 * Where the kernel cannot kill a group by itself, a tiny shell in the group waits for the end of the lifetime channel and does it.
 * It needs no event loop, so a busy or stopped hook does not matter.
 *
 * @returns the watcher's pid
 */
export function startWatcher(channel: number): Result<number> {
  try {
    const watcher = Bun.spawn(["/bin/sh", "-c", "read -r _ <&3; kill -9 0"], {
      stdio: ["ignore", "ignore", "ignore", channel],
      env: {},
    });
    return done(watcher.pid);
  } catch (thrown) {
    return failed(`cannot start the group's watcher: ${causeOf(thrown)}`);
  }
}
