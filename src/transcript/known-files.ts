import type { ToolKind } from "../calls/kind.ts";
import { shellLine } from "../calls/shell-line.ts";
import { writtenWords } from "../calls/written-paths.ts";
import { putsOnClipboard } from "../shell/clipboard.ts";
import { commandEffect } from "../shell/effect.ts";
import { knownTexts, pathIn } from "../shell/known-texts.ts";
import { type SimpleCommand, simpleCommands } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";
import type { TranscriptCall } from "./entry.ts";

/** What a call puts on the clipboard, where it does, and into files; null where only its run can tell. */
export interface CallTexts {
  readonly copied?: string | null;
  readonly files: Readonly<Record<string, string | null>>;
}

export interface TextsOfCall {
  readonly texts?: CallTexts;
  readonly forgetsFiles?: true;
}

export type Files = Readonly<Record<string, string>>;

/**
 * The texts that a call leaves behind as far as its own words tell, so that `pbcopy < file` is known where the session wrote that file.
 * A call that may change any file (a program nobody knows, git, a package manager) forgets them all.
 */
export function textsOfCall(call: TranscriptCall, kind: ToolKind, files: Files): TextsOfCall {
  if (kind === "write") return { texts: { files: filesOfWrite(call) } };
  const line = kind === "shell" ? shellLine(call.input) : null;
  if (line === null) return kind === "other" && Object.keys(files).length > 0 ? { forgetsFiles: true } : {};
  const copies = putsOnClipboard(line);
  const knowsFiles = Object.keys(files).length > 0;
  const forgets = knowsFiles && mayChangeAnyFile(line) ? ({ forgetsFiles: true } as const) : {};
  if (!copies && !(knowsFiles ? /[>]|\btee\b/ : writesText).test(line)) return forgets;
  const cwd = call.directory;
  const { copied, files: written } = knownTexts(line, {
    cwd,
    fileText: (path) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
  });
  const texts: CallTexts = { files: Object.fromEntries(written), ...(copies ? { copied: copied ?? null } : {}) };
  return { ...forgets, texts };
}

/** Printing into a file, in one of the few ways that say what is printed. */
const writesText = /\b(?:echo|printf|cat|base64)\b[\s\S]*>|\btee\b/;

/** What is known of files behind a call. One that failed may have written something else. */
export function keepTexts(files: Files, { texts, forgetsFiles }: TextsOfCall, succeeded: boolean): Files {
  if (texts === undefined && forgetsFiles !== true) return files;
  const kept = new Map(forgetsFiles === true ? [] : Object.entries(files));
  for (const [path, text] of Object.entries(texts?.files ?? {})) {
    kept.delete(path);
    if (succeeded && text !== null && text.length <= fileCharsMax) kept.set(path, text);
  }
  return Object.fromEntries([...kept].slice(-filesMax));
}

/** A command is short; this bounds what is kept of a session. */
const fileCharsMax = 4096;
const filesMax = 32;

function filesOfWrite({ input, directory }: TranscriptCall): Record<string, string | null> {
  const paths = writtenWords(input).map((word) => pathIn(directory, word));
  const text = paths.length === 1 ? contentOf(input) : null;
  return Object.fromEntries(paths.map((path) => [path, text]));
}

/** The whole text of a file that a tool writes; null for an edit, which says only a part. */
function contentOf(input: unknown): string | null {
  const fields = new Map(Object.entries(Object(input)));
  const parts = ["old_string", "old", "old_str", "edits", "insert_line", "patch", "append"];
  if (parts.some((name) => fields.has(name))) return null;
  const text = ["content", "contents", "text", "file_text"].map((name) => fields.get(name));
  const [whole] = text.filter((one) => one !== undefined);
  return typeof whole === "string" ? whole : null;
}

/** Whether a line runs what may change files that it does not name. */
export function mayChangeAnyFile(line: string): boolean {
  return (simpleCommands(line) ?? [null]).some((command) => command === null || changesOthers(command));
}

/** These change no file's text that they do not say. */
const keepsTexts: ReadonlySet<string> = new Set(
  "echo printf cat tee mkdir chmod touch base64 tr cd true test".split(" "),
);

function changesOthers(command: SimpleCommand): boolean {
  const name = programBasename(command.program);
  if (keepsTexts.has(name) || putsOnClipboard(command.words.join(" "))) return false;
  if (name === "git" && /^(?:add|commit|push|fetch|tag)$/.test(command.words[1] ?? "")) return false;
  const effect = commandEffect({ ...command, targets: [], redirectsToFile: false });
  return effect === "changes" || effect === "unknown";
}
