import { printable } from "../base/printable.ts";
import { shellLine } from "../calls/shell-line.ts";
import { formatNames } from "../transcript/entry.ts";
import { formatNamed } from "../transcript/format.ts";
import { listEntries, type ShownEntry } from "../transcript/list-entries.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "transcript read <file> [--harness <name>] [--json]",
  about:
    "Shows a session's transcript as Tama reads it: persons, answers, calls and how each ended. Exit 1 where a line is no record, naming its byte.",
  example: "tama transcript read session.jsonl --json",
  args: {
    file: { type: "positional", description: "a transcript of OMP, Claude Code, Codex, Gemini CLI or pi" },
    harness: { type: "string", valueHint: "name", description: "whose it is; else seen from its records" },
    json: { type: "boolean", description: "one JSON object a line" },
  },
  run: async (context, given) => {
    const path = given.words[0] ?? "";
    const json = given.flag("json");
    const harness = given.text("harness") ?? "";
    if (harness !== "" && formatNamed(harness) === null) {
      context.err(`transcript: there is no harness ${JSON.stringify(harness)}; there are ${formatNames.join(", ")}\n`);
      return 2;
    }
    // What breaks while an entry is shown (a reader that has seen enough) is no fault of the transcript's.
    const unshown: unknown[] = [];
    const show = (entry: ShownEntry): void => {
      try {
        context.out(json ? `${JSON.stringify(entry)}\n` : lineOf(entry));
      } catch (thrown) {
        unshown.push(thrown);
        throw thrown;
      }
    };
    const reading = listEntries({ path, harness, accepted: new Set<number>() }, show);
    if (unshown.length > 0) throw unshown[0];
    if (reading.kind !== "read") {
      context.err(`transcript: ${path}: ${reading.kind === "absent" ? "there is no such file" : reading.cause}\n`);
      return 1;
    }
    if (reading.setAside) context.err("transcript: the last line has no newline yet and is set aside\n");
    if (reading.broken === null) return 0;
    const { byte, cause } = reading.broken;
    context.err(`transcript: ${path}: the line starting at byte ${byte} is not a JSON record: ${cause}\n`);
    return 1;
  },
};

/** One entry as a person reads it: when, who, and the beginning of what. */
function lineOf(entry: ShownEntry): string {
  const when = entry.time ?? "-";
  switch (entry.kind) {
    case "person":
      return rows(when, "person", [entry.text]);
    case "harness":
      return rows(when, entry.about === "other" ? "harness" : entry.about, [entry.text]);
    case "answer": {
      const calls = entry.calls.map((call) => `→ ${call.tool} ${shellLine(call.input) ?? JSON.stringify(call.input)}`);
      const failed = entry.errorMessage === null ? [] : [`error: ${entry.errorMessage}`];
      return rows(when, "answer", [...(entry.text === "" ? [] : [entry.text]), ...calls, ...failed]);
    }
    case "result":
      return rows(when, entry.outcome, [entry.text]);
  }
}

function rows(when: string, who: string, texts: readonly string[]): string {
  return texts.map((text) => `${when}  ${who.padEnd(12)}  ${shortened(text)}\n`).join("");
}

function shortened(text: string): string {
  const line = printable(text.replace(/\s+/g, " ").trim());
  return line.length > shownCharsMax ? `${line.slice(0, shownCharsMax)}…` : line;
}

const shownCharsMax = 160;
