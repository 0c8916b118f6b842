import { maskSecrets } from "../base/mask.ts";
import { ownValue } from "../base/own-value.ts";
import type { Answer } from "./run-once.ts";

/**
 * An earlier call's answer as its harness told it to the model: both streams as one text, in the harness's frame. Comparing it with a run of
 * ours is comparing like with like only after the frame is off, and only where nothing was cut.
 */
export interface Told {
  /** The command's own output, without the harness's frame. */
  readonly body: string;
  readonly code: number | "not zero" | "unknown";
  /** When it was told. */
  readonly at: string | null;
}

export interface ToldRequest {
  readonly harness: string;
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
  readonly at: string | null;
}

/** Null when the harness cut the answer, so that nothing can be compared with it. */
export function toldAnswer(request: ToldRequest): Told | null {
  if (cut.test(request.text)) return null;
  const frame = ownValue(frames, request.harness.toLowerCase());
  let body = request.text;
  let found: number | null = null;
  for (const shape of frame?.shapes ?? []) {
    body = body.replace(shape, (around) => {
      const code = /code:? (-?\d+)/.exec(around)?.[1];
      if (code !== undefined) found = Number(code);
      return "";
    });
  }
  if (frame?.empty.includes(body.trim()) === true) body = "";
  return { body, code: found ?? codeBeside(request, frame?.tellsFailure ?? false), at: request.at };
}

/** Whether a run answered what was told. Which of two streams' lines came first is not known, so their order is not compared. */
export function sameAsTold(told: Told, answer: Answer): boolean {
  if (told.code === "not zero" ? answer.code === 0 : told.code !== "unknown" && told.code !== answer.code) return false;
  const wanted = plain(told.body);
  const stdout = plain(answer.stdout.toString());
  const stderr = plain(answer.stderr.toString());
  if (stdout === "" || stderr === "") return wanted === stdout + stderr;
  return inOrder(wanted) === inOrder(`${stdout}\n${stderr}`);
}

interface Frame {
  /** What the harness puts around an output; where it says a code, that is the exit code. */
  readonly shapes: readonly RegExp[];
  /** What it says instead of an empty output. */
  readonly empty: readonly string[];
  /** A result that is no error means exit code 0. */
  readonly tellsFailure: boolean;
}

const omp: Frame = {
  shapes: [/\n+Command exited with code \d+\s*$/, /\n*Wall time: [\d.]+ seconds\s*$/],
  empty: ["(no output)"],
  tellsFailure: true,
};

const frames: Readonly<Record<string, Frame>> = {
  omp,
  pi: omp,
  "claude-code": {
    shapes: [/^Exit code \d+(?:\n|$)/],
    empty: ["(Bash completed with no output)"],
    tellsFailure: true,
  },
  codex: {
    shapes: [
      /^(?:(?:Chunk ID|Wall time|Original token count|Total output lines): .*\n|(?:Process exited with code|Exit code:) -?\d+\n)+Output:(?:\n|$)/,
    ],
    empty: [],
    tellsFailure: false,
  },
};

/** How harnesses, and Tama's own records, mark what they left out. */
const cut =
  /\[\d+ (?:characters|lines) truncated\]|\[… \d+ bytes left out here …\]|…\d+ (?:tokens|chars) truncated…|\[Showing lines \d+|<persisted-output>/;

function codeBeside({ isError, details }: ToldRequest, tellsFailure: boolean): Told["code"] {
  for (const name of ["exitCode", "exit_code"]) {
    const code = fieldOf(details, name);
    if (typeof code === "number") return code;
  }
  if (isError) return "not zero";
  // Claude Code takes some codes for no failure, such as grep's 1, and says so beside the text.
  if (typeof fieldOf(details, "returnCodeInterpretation") === "string") return "not zero";
  return tellsFailure ? 0 : "unknown";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Kept answers have their secrets hidden, and harnesses drop colours, blank ends and the space at the end of lines. */
function plain(text: string): string {
  const lines = maskSecrets(text.replace(colours, ""))
    .split("\n")
    .map((line) => line.trimEnd());
  return lines.join("\n").replace(/^\n+|\n+$/g, "");
}

const colours = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

function inOrder(text: string): string {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .sort()
    .join("\n");
}
