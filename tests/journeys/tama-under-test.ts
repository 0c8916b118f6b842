import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { LineCutter } from "../../src/base/lines.ts";

/** The built binary, never the sources: what a person runs. */
export const tamaBinary: string = resolve(
  process.env["TAMA_TEST_BINARY"] ?? join(import.meta.dir, "..", "..", "dist", "tama"),
);

/** Fault tests and fuzzes divide their counts by this. */
export const scale: number = Math.max(1, Number(process.env["TAMA_TEST_SCALE"] ?? "20"));

/** A place of its own for one test: a home for Tama, an Oko register's path, a folder to work in. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly register: string;
  readonly work: string;
  readonly environment: Record<string, string>;
  /** Writes a file under the place; `path` relative to it. */
  readonly write: (path: string, content: string | object, mode?: number) => string;
  readonly read: (path: string) => string;
  readonly json: (path: string) => any;
  readonly remove: () => void;
}

export function makePlace(settings?: object): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tama-journey-")));
  const home = join(folder, "home");
  const write = (path: string, content: string | object, mode = 0o600): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode });
    chmodSync(file, mode);
    return file;
  };
  mkdirSync(join(folder, "work"));
  if (settings !== undefined) write("home/settings.json", settings);
  return {
    folder,
    home,
    register: join(folder, "defects.json"),
    work: join(folder, "work"),
    environment: {
      PATH: `${dirname(tamaBinary)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(folder, "user"),
      TAMA_HOME: home,
      OKO_DEFECT_REGISTER: join(folder, "defects.json"),
      LANG: "C.UTF-8",
    },
    write,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    json: (path) => JSON.parse(readFileSync(join(folder, path), "utf8")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `tama <words>` to its end. */
export async function tama(place: Place, words: readonly string[], input = ""): Promise<Ended> {
  return await runToEnd([tamaBinary, ...words], place, input);
}

/** Runs a line as a person would paste it into a shell, with `tama` on PATH. */
export async function inShell(place: Place, line: string): Promise<Ended> {
  return await runToEnd(["/bin/sh", "-c", line], place, "");
}

async function runToEnd(command: string[], place: Place, input: string): Promise<Ended> {
  const child = Bun.spawn(command, {
    cwd: place.work,
    env: place.environment,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

/** One line from the core, as it came. */
export type Said = Record<string, any>;

/** A running `tama run-hook <harness> --serve`. */
export interface ServedCore {
  readonly pid: number;
  readonly lines: readonly Said[];
  readonly send: (...messages: readonly object[]) => void;
  readonly sendRaw: (bytes: string | Uint8Array) => void;
  /** The first line, already here or still to come, that fits. */
  readonly waitFor: (fits: (line: Said) => boolean, what?: string) => Promise<Said>;
  /** The answer to an id. */
  readonly answer: (id: string) => Promise<Said>;
  readonly dispatch: (event: string, payload: object, id?: string) => Promise<Said>;
  readonly request: (operation: string, body: object) => Promise<Said>;
  readonly errors: () => string;
  readonly endInput: () => Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => Promise<Ended>;
}

export async function startCore(place: Place, harness = "omp"): Promise<ServedCore> {
  const child = Bun.spawn([tamaBinary, "run-hook", harness, "--serve"], {
    cwd: place.work,
    env: place.environment,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: Said[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  let errors = "";
  const readErrors = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) errors += decoder.decode(chunk, { stream: true });
  })();
  const wake = (): void => {
    for (const one of [...waiting]) one();
  };
  const readLines = (async () => {
    const cutter = new LineCutter(1024 * 1024 * 1024);
    for await (const chunk of child.stdout) {
      for (const line of cutter.push(chunk)) lines.push(JSON.parse((line ?? Buffer.from("null")).toString()));
      wake();
    }
    const rest = cutter.rest();
    if (rest !== undefined) throw new Error(`the core's last line has no newline: ${rest}`);
  })().finally(() => {
    ended = true;
    wake();
  });
  const waitFor = (fits: (line: Said) => boolean, what = "a line"): Promise<Said> =>
    new Promise((resolve, reject) => {
      let seen = 0;
      const look = (): void => {
        for (; seen < lines.length; seen++) {
          const line = lines[seen];
          if (line === undefined || !fits(line)) continue;
          waiting.delete(look);
          return resolve(line);
        }
        if (!ended) return;
        waiting.delete(look);
        reject(new Error(`the core ended without ${what}; stderr: ${errors}`));
      };
      waiting.add(look);
      look();
    });
  const exit = async (): Promise<Ended> => {
    await Promise.all([child.exited, readLines, readErrors]);
    return { code: child.exitCode, signal: child.signalCode, stdout: "", stderr: errors };
  };
  let numbered = 0;
  const send = (...messages: readonly object[]): void => {
    child.stdin.write(messages.map((one) => `${JSON.stringify(one)}\n`).join(""));
    child.stdin.flush();
  };
  const answer = (id: string): Promise<Said> => waitFor((line) => line["id"] === id, `an answer to ${id}`);
  await waitFor((line) => line["op"] === "ready", "its ready line");
  return {
    pid: child.pid,
    lines,
    send,
    sendRaw: (bytes) => {
      child.stdin.write(bytes);
      child.stdin.flush();
    },
    waitFor,
    answer,
    dispatch: (event, payload, id = `d${++numbered}`) => {
      send({ id, op: "dispatch", event, payload });
      return answer(id);
    },
    request: (operation, body) => {
      const id = `q${++numbered}`;
      send({ id, op: "request", operation, body });
      return answer(id);
    },
    errors: () => errors,
    endInput: async () => {
      child.stdin.end();
      return await exit();
    },
    kill: async (signal) => {
      child.kill(signal);
      return await exit();
    },
  };
}

/** Looks again until it holds; never a fixed sleep before an assertion. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > 20_000) throw new Error(`never came true: ${what}`);
    await Bun.sleep(5);
  }
}
