import { join } from "node:path";
import { serveCanary } from "../canaries.ts";
import type { Inspection, Problem } from "../examine/inspection.ts";
import { namedTranscripts, programInExtension } from "../extension-file.ts";
import type { Machine } from "../harness.ts";
import { singleQuoted } from "../registered-line.ts";
import { agentFolder, extensionPath, ownHeader } from "./install.ts";

/** pi's side of `tama doctor`: the adapter's file, and settings that keep pi from loading it. */
export async function inspectPi(machine: Machine): Promise<Inspection> {
  const path = extensionPath(machine);
  const read = machine.read(path);
  const text = read.ok ? (read.value ?? "") : "";
  const installed = text.startsWith(`${ownHeader}\n`);
  const binary = installed ? programInExtension(text) : null;
  const command = binary === null ? null : `exec ${singleQuoted(binary)} run-hook pi --serve`;
  return {
    installed,
    file: path,
    binary,
    line: command === null ? null : { command, canary: serveCanary, refusal: '"verdict":"refuse"' },
    problems: [
      ...(read.ok ? [] : [{ what: read.cause, wayOut: "make it readable" }]),
      ...(installed ? switchedOff(machine) : []),
    ],
    notes: [],
    transcripts: { folder: join(agentFolder(machine), "sessions"), ...namedTranscripts },
    unasked: [],
  };
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
