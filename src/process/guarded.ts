import type { Result } from "../base/result.ts";
import { type StartedLeader, type StartRequest, startLeader } from "./start.ts";

/**
 * Starts a command that must not outlive the caller, however the caller ends. Theory of operation: a small shell leads a group of its own
 * and holds in it a watcher, blocked on the lifetime channel. Once the caller's end of that channel closes, by `closeChannel` or by the
 * caller's death, the watcher kills the whole group, itself included; it has no event loop to keep busy, and what the command does is no
 * matter to it. The command runs beside it, with the channel closed, so that nothing it writes there can end it; the shell passes its
 * exit code on as a shell does (128 and the signal's number for a death by signal, 127 for a program that is not there).
 *
 * What leaves the group (setsid) is for the caller's adoption to end; after a SIGKILL of the caller nobody is left to do that.
 */
export function startGuarded(request: StartRequest, name: string): Result<StartedLeader> {
  return startLeader({ ...request, command: ["/bin/sh", "-c", guard, name, ...request.command] });
}

/** The last line keeps the shell from becoming the command itself, whose child the watcher would then be. */
const guard = `{ read -r _ <&3; kill -9 0; } </dev/null >/dev/null 2>&1 &
exec 3<&-
(exec "$@")
exit $?`;
