import { systemClock } from "./base/clock.ts";
import { sayOnStderr, writeAll } from "./base/descriptors.ts";
import { printable } from "./base/printable.ts";
import { causeOf } from "./base/result.ts";
import { runCli } from "./cli/run.ts";
import { homeAt } from "./disk/home.ts";

/**
 * The only reader of arguments and environment and the only writer of the exit code. `process.exit` is never called: it cuts a piped
 * answer at 65,536 bytes; the process ends when its work does. Nothing is awaited at the top: the bundler keeps what commands share out of
 * the file of an entry that does, and each file more costs every start a tenth of a millisecond.
 */
const environment = process.env;
let stop: AbortController | null = null;

// A harness reads exit 1 as "carry on": whatever breaks while an event is answered must leave as a refusal, armed before anything else.
const armed = process.argv[2] === "run-hook";
if (armed) {
  process.exitCode = 2;
  for (const bug of ["uncaughtException", "unhandledRejection"] as const) process.on(bug, leaveOnBug);
}

start().catch(leaveOnBug);

async function start(): Promise<void> {
  // An empty HOME would put the home into the folder the agent works in, and that one is not to be trusted.
  const userHome = environment["HOME"] || (await import("node:os")).homedir();
  process.exitCode = await runCli(process.argv.slice(2), {
    home: homeAt(await tamaHome(userHome)),
    userHome,
    get cwd() {
      return workingFolder();
    },
    environment,
    program: [process.execPath],
    clock: systemClock,
    out: (text) => writeAll(1, text),
    // What is quoted in an error may be anything a model or a file said.
    err: (text) => sayOnStderr(printable(text.endsWith("\n") ? text.slice(0, -1) : text)),
    get stopped() {
      stop ??= listenForStop();
      return stop.signal;
    },
    colour: async () =>
      environment["NO_COLOR"] === undefined && environment["TERM"] !== "dumb" && (await import("node:tty")).isatty(1),
  });
}

function leaveOnBug(thrown: unknown): void {
  sayOnStderr(`${armed ? "TAMA_HOOK_INFRASTRUCTURE: run-hook" : "tama"}: a bug in Tama: ${causeOf(thrown)}`);
  process.exitCode = armed ? 2 : 1;
}

async function tamaHome(userHome: string): Promise<string> {
  const named = environment["TAMA_HOME"] || `${userHome}/.tama`;
  return isResolved(named) ? named : (await import("node:path")).resolve(workingFolder(), named);
}

/** Nearly every home is, and loading node:path costs a start a sixteenth of a millisecond (measured). */
function isResolved(path: string): boolean {
  const odd = path.includes("//") || path.includes("/./") || path.includes("/../");
  return path.startsWith("/") && !odd && !path.endsWith("/") && !path.endsWith("/.") && !path.endsWith("/..");
}

/** A folder that was removed under the process has none but its last name; what is looked for in it is not found. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return environment["PWD"] ?? "/";
  }
}

/** Only a command that can end in order listens; for every other the default, an immediate end, is right. */
function listenForStop(): AbortController {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => controller.abort(signal));
  return controller;
}
