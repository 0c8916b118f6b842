import { closeSync, constants, openSync } from "node:fs";
import type { FormatName } from "./entry.ts";
import { entriesOf, isSubagentFile } from "./format.ts";
import { readRecords } from "./records.ts";

/** The text of a call's answer, from the record that starts at `at`. Null when it does not stand there any more. */
export function answerAt(
  path: string,
  format: FormatName,
  look: { readonly at: number; readonly call: string },
): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const found: string[] = [];
    readRecords({
      descriptor,
      from: look.at,
      accepted: new Set(),
      take: (record) => {
        for (const entry of entriesOf(format, record, look.at, isSubagentFile(path)))
          if (entry.kind === "result" && entry.call === look.call) found.push(entry.text);
        return found.length > 0 ? "enough" : undefined;
      },
    });
    return found[0] ?? null;
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
