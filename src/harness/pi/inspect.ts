import { basename, join } from "node:path";
import { canaryTool } from "../../core/canary.ts";
import type { Inspection, Problem } from "../examine/inspection.ts";
import type { Machine } from "../harness.ts";
import { singleQuoted } from "../registered-line.ts";
import { agentFolder, extensionPath, ownHeader } from "./install.ts";

/** pi's side of `tama doctor`: the adapter's file, and settings that keep pi from loading it. */
export async function inspectPi(machine: Machine): Promise<Inspection> {
  const path = extensionPath(machine);
  const read = machine.read(path);
  const text = read.ok ? (read.value ?? "") : "";
  const installed = text.startsWith(`${ownHeader}\n`);
  const binary = installed ? binaryIn(text) : null;
  const command = binary === null ? null : `exec ${singleQuoted(binary)} run-hook pi --serve`;
  return {
    installed,
    file: path,
    binary,
    line: command === null ? null : { command, canary, refusal: '"verdict":"refuse"' },
    problems: [
      ...(read.ok ? [] : [{ what: read.cause, wayOut: "make it readable" }]),
      ...(installed ? switchedOff(machine) : []),
    ],
    notes: [],
    transcripts: { folder: join(agentFolder(machine), "sessions"), sessionOf },
    unasked: [],
  };
}

/** The adapter's own constants, as install.ts fills them in. */
function binaryIn(text: string): string | null {
  const found = /\bbinary: ("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (found === undefined) return null;
  const value: unknown = JSON.parse(found);
  return typeof value === "string" ? value : null;
}

function canary(mark: string): string {
  const payload = { session: "tama-doctor", tool: canaryTool, input: { mark }, call: mark };
  return JSON.stringify({ id: mark, op: "dispatch", event: "tool_call", payload });
}

/** `-extensions/tama.ts` in settings.json leaves that file out. */
function switchedOff(machine: Machine): readonly Problem[] {
  const path = join(agentFolder(machine), "settings.json");
  const settings = machine.read(path);
  if (!settings.ok || settings.value === null) return [];
  try {
    const list: unknown = Reflect.get(Object(JSON.parse(settings.value)), "extensions");
    const off = Array.isArray(list) && list.some((one) => typeof one === "string" && /^[-!].*\btama\.ts$/.test(one));
    return off ? [{ what: `${path} leaves tama.ts out under extensions`, wayOut: "take that out there" }] : [];
  } catch {
    return [{ what: `${path} is no JSON`, wayOut: "mend that file" }];
  }
}

/** `<time>_<session>.jsonl`. */
function sessionOf(path: string): string | null {
  return /^\d{4}-[^/]*_([^_/]+)\.jsonl$/.exec(basename(path))?.[1] ?? null;
}
