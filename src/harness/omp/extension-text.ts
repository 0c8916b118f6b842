import { joinParts, type Part } from "../extension-file.ts";
import * as adapter from "./extension/adapter.ts" with { type: "text" };
import * as compaction from "./extension/compaction.ts" with { type: "text" };
import * as coreLink from "./extension/core-link.ts" with { type: "text" };
import * as ending from "./extension/ending.ts" with { type: "text" };
import * as fields from "./extension/fields.ts" with { type: "text" };
import * as host from "./extension/host.ts" with { type: "text" };
import * as load from "./extension/load.ts" with { type: "text" };
import * as messages from "./extension/messages.ts" with { type: "text" };
import * as outcome from "./extension/outcome.ts" with { type: "text" };
import * as overlay from "./extension/overlay.ts" with { type: "text" };
import * as ownSettings from "./extension/own-settings.ts" with { type: "text" };
import * as processState from "./extension/process-state.ts" with { type: "text" };
import * as screen from "./extension/screen.ts" with { type: "text" };
import * as session from "./extension/session.ts" with { type: "text" };
import * as textGate from "./extension/text-gate.ts" with { type: "text" };
import * as toolCalls from "./extension/tool-calls.ts" with { type: "text" };
import * as turnEnd from "./extension/turn-end.ts" with { type: "text" };
import * as turns from "./extension/turns.ts" with { type: "text" };
import * as waiting from "./extension/waiting.ts" with { type: "text" };

// OMP loads one file, and a person who opens it should find what is written here. So the sources of `extension/` are put
// one after another as they are: without what they import from each other and without `export`, since then they share
// one scope. Two private names that collide are a syntax error there; install.test.ts loads the result.

const about = `// Tama's adapter for OMP. It is loaded by OMP into OMP's own process, so it imports nothing of Tama.
//
// How it works. One core (\`tama run-hook omp --serve\`) serves this whole OMP process, its in-process subagents too; it is started by
// the first event and again by the next event after it died. Each OMP event becomes one dispatch line, each answer line settles one
// dispatch. Whatever goes wrong settles it as well, as a fault: the promises here never reject, because an error that nobody awaits
// ends OMP. Loaded twice (a link beside the file) it acts once: the first copy serves all.
`;

/** From what others need to what needs others: a reader meets each word before its use. */
const parts: readonly Part[] = [
  ["host", host],
  ["process-state", processState],
  ["fields", fields],
  ["waiting", waiting],
  ["outcome", outcome],
  ["core-link", coreLink],
  ["screen", screen],
  ["overlay", overlay],
  ["own-settings", ownSettings],
  ["session", session],
  ["turns", turns],
  ["tool-calls", toolCalls],
  ["messages", messages],
  ["compaction", compaction],
  ["ending", ending],
  ["turn-end", turnEnd],
  ["text-gate", textGate],
  ["adapter", adapter],
  ["load", load],
];

/** The adapter's source as one file. */
export function joinedExtension(): string {
  return joinParts(about, parts);
}
