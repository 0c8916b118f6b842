import { createConsola } from "consola/basic";

/** Notes for a person beside a command's answer. consola writes notes to stdout, which belongs to answers: its stdout is stderr here. */
export interface Notes {
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** Loaded by cold commands only: consola costs 15 ms at import. */
export function openNotes(): Notes {
  const say = createConsola({ stdout: process.stderr, stderr: process.stderr, formatOptions: { date: false } });
  return { note: (text) => say.info(text), warn: (text) => say.warn(text) };
}
