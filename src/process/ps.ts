import { causeOf, done, failed, type Result } from "../base/result.ts";

/** One process as the system's listing shows it; `start` in its own words, equal only to itself. */
export interface PsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
  readonly command: string;
}

/** The interface old records were written against; the refusal names it. */
const psCommand = ["ps", "-A", "-o", "pid=,ppid=,pgid=,lstart=,command="] as const;

export function listByPs(): Result<readonly PsProcess[]> {
  const name = psCommand.join(" ");
  try {
    const ran = Bun.spawnSync([...psCommand], {
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      stdin: "ignore",
      stderr: "pipe",
    });
    if (ran.exitCode !== 0)
      return failed(
        `${name} failed: exit ${ran.exitCode ?? ran.signalCode ?? "unknown"}: ${ran.stderr.toString().trim()}`,
      );
    return done(readPs(ran.stdout.toString()));
  } catch (thrown) {
    return failed(`${name} failed: ${causeOf(thrown)}`);
  }
}

/** `lstart` is always five words, such as `Mon Nov 30 19:10:13 2026`. */
export function readPs(text: string): readonly PsProcess[] {
  return text.split("\n").flatMap((line) => {
    const words = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s?(.*)$/.exec(line);
    if (words === null) return [];
    const [, pid, parent, group, start, command] = words;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        start: (start ?? "").replace(/\s+/g, " "),
        command: command ?? "",
      },
    ];
  });
}
