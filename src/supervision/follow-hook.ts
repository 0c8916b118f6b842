import { sayOnStderr } from "../base/descriptors.ts";
import { progressLineCharsMax, progressLinesMax } from "../base/limits.ts";
import type { LockedFile } from "../disk/locked-file.ts";
import type { Adoption } from "../process/adopted.ts";
import { endOwnChild } from "../process/signal.ts";
import { type Started, startedHere } from "../process/start.ts";
import type { SupervisorLine } from "../words/supervised.ts";
import { type HookOutput, readHookOutput } from "./hook-output.ts";

/** What following a hook needs beside the hook. */
export interface Following {
  readonly record: LockedFile;
  readonly adoption: Adoption;
}

/**
 * Follows a person's command to its end: hands it the event, passes its stderr on as progress, and when it has ended ends what it left
 * behind. A left-over that still holds the hook's pipes does not hold its answer.
 */
export async function followHook(hook: Started, stdin: string, following: Following): Promise<SupervisorLine> {
  const flood = Promise.withResolvers<string>();
  const output = readHookOutput({ pipe: hook.output, name: "stdout", onLine: () => {}, onFlood: flood.resolve });
  const errors = readHookOutput({
    pipe: hook.errors,
    name: "stderr",
    onLine: progressTo(following.record),
    onFlood: flood.resolve,
  });
  hook.write(stdin);
  hook.endInput();
  const first = await Promise.race([hook.ended, flood.promise]);
  if (typeof first === "string") return await cutShort(hook, first, errors, following);
  const left = !(await following.adoption.endStrangers());
  await Promise.all([output.whenSaid(), errors.whenSaid()]);
  const code = first.kind === "code" ? first.code : null;
  const signal = first.kind === "signal" ? first.signal : null;
  return { says: "ended", code, signal, stdout: output.text(), stderr: errors.text(), left };
}

/** A flood is ended at once: nobody reads the pipe any more, so the hook would else wait on it for ever. */
async function cutShort(hook: Started, cut: string, errors: HookOutput, following: Following): Promise<SupervisorLine> {
  if (startedHere.has(hook.pid)) endOwnChild(hook.pid);
  await hook.ended;
  const left = !(await following.adoption.endStrangers());
  return { says: "ended", code: null, signal: null, stdout: "", stderr: errors.text(), cut, left };
}

/** Each stderr line goes on at once, to the core and into the record, where `tama hooks running` shows it. */
function progressTo(record: LockedFile): (line: string) => void {
  let count = 0;
  return (line) => {
    if (line.trim() === "" || ++count > progressLinesMax) return;
    const progress = line.slice(0, progressLineCharsMax);
    sayOnStderr(progress);
    record.append({ progress });
  };
}
