import { join } from "node:path";
import { findFromEnd } from "../../transcript/find-from-end.ts";
import { hookLine } from "../canaries.ts";
import type { Inspection, Problem } from "../examine/inspection.ts";
import type { Machine } from "../harness.ts";
import { ownCommandIn, ownPlacesIn, readHooksFile } from "../hook-groups.ts";
import { withoutComments } from "../json-places.ts";
import { programOfGuarded } from "../registered-line.ts";
import { hookName, isOwnEntry } from "./entries.ts";
import { geminiHome, switchedOff } from "./settings-file.ts";

/** Gemini CLI's side of `tama doctor`: the settings that start Tama, and those that would keep Gemini from it. */
export async function inspectGemini(machine: Machine): Promise<Inspection> {
  const folder = geminiHome(machine);
  const path = join(folder, "settings.json");
  const read = machine.read(path);
  const text = withoutComments(read.ok ? (read.value ?? "") : "");
  const installed = ownPlacesIn(text, isOwnEntry).length > 0;
  const command = ownCommandIn(text, "BeforeTool", isOwnEntry);
  return {
    installed,
    file: path,
    binary: command === null ? null : programOfGuarded(command),
    line: hookLine(machine, command, { event: "BeforeTool", refusal: '"decision":"deny"' }),
    problems: [
      ...(read.ok ? [] : [{ what: read.cause, wayOut: "make it readable" }]),
      ...(installed ? settingsFiles(machine, path).flatMap((one) => offIn(machine, one)) : []),
    ],
    notes: [],
    transcripts: { folder: join(folder, "tmp"), sessionOf },
    unasked: [],
  };
}

/** The person's, the folder's and the machine's; each can switch the hooks of all off. */
function settingsFiles({ folder, environment }: Machine, user: string): readonly string[] {
  const system = environment["GEMINI_CLI_SYSTEM_SETTINGS_PATH"] || "/etc/gemini-cli/settings.json";
  return [...new Set([user, ...(folder === undefined ? [] : [join(folder, ".gemini", "settings.json")]), system])];
}

function offIn(machine: Machine, path: string): readonly Problem[] {
  const read = machine.read(path);
  if (!read.ok) return [{ what: read.cause, wayOut: "make it readable" }];
  const settings = readHooksFile(withoutComments(read.value ?? ""));
  if (!settings.ok) return [{ what: `${path} ${settings.cause}`, wayOut: "mend that file" }];
  return switchedOff(settings.value, hookName).map((setting) => ({
    what: `${path} says ${setting}, so Gemini CLI does not run Tama's hooks`,
    wayOut: "take that out",
  }));
}

/** `<project>/chats/session-<time>-<first eight of the id>.jsonl`; the header names the whole. */
function sessionOf(path: string): string | null {
  if (!/\/chats\/session-[^/]+\.jsonl$/.test(path)) return null;
  const found = findFromEnd(path, '"projectHash"', (record) => {
    const [id, kind] = ["sessionId", "kind"].map((name): unknown =>
      typeof record === "object" && record !== null ? Reflect.get(record, name) : null,
    );
    return typeof id === "string" && kind === "main" ? id : null;
  });
  return found.ok ? found.value : null;
}
