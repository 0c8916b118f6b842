import { isatty } from "node:tty";
import { writeAll } from "../base/descriptors.ts";
import type { Context } from "./command.ts";

/** One line that is written over while something takes its time. */
export interface ProgressLine {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

/** On a person's terminal, at stderr; nothing where that is none, or one that takes no orders (TERM=dumb). */
export function openProgressLine({ environment }: Pick<Context, "environment">): ProgressLine {
  if (!isatty(2) || environment["TERM"] === "dumb") return { show: () => {}, clear: () => {} };
  return {
    // A line that wraps could not be written over. Asked each time, since a window changes.
    show: (text) => writeAll(2, `${begin}${cutTo(text, (process.stderr.columns || usualColumns) - 1)}`),
    clear: () => writeAll(2, begin),
  };
}

const begin = "\r\u001b[K";
const usualColumns = 80;

/** The beginning of a line, at most so many columns wide. */
export function cutTo(text: string, columns: number): string {
  let cut = "";
  let width = 0;
  for (const character of text) {
    width += Bun.stringWidth(character);
    if (width > columns) break;
    cut += character;
  }
  return cut;
}
