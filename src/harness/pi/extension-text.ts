import { joinParts, type Part } from "../extension-file.ts";
import * as coreLink from "../omp/extension/core-link.ts" with { type: "text" };
import * as fields from "../omp/extension/fields.ts" with { type: "text" };
import * as outcome from "../omp/extension/outcome.ts" with { type: "text" };
import * as waiting from "../omp/extension/waiting.ts" with { type: "text" };
import * as load from "./extension/load.ts" with { type: "text" };
import * as calls from "./extension/pi-calls.ts" with { type: "text" };
import * as host from "./extension/pi-host.ts" with { type: "text" };
import * as session from "./extension/pi-session.ts" with { type: "text" };
import * as turns from "./extension/pi-turns.ts" with { type: "text" };

// pi loads one file, as OMP does, which comes from pi. What speaks with the core is the same in both, so those sources are OMP's; what speaks
// with the host is pi's own. They are put one after another as they are, without what they import from each other and without `export`.

const about = `// Tama's adapter for pi. It is loaded by pi into pi's own process, so it imports nothing of Tama.
//
// How it works. One core (\`tama run-hook pi --serve\`) serves a pi session; it is started by the first event and again by the next
// event after it died. Each event of pi's becomes one dispatch line, each answer line settles one dispatch. Whatever goes wrong settles it
// as well, as a fault, and a fault refuses: the promises here never reject.
`;

/** From what others need to what needs others. */
const parts: readonly Part[] = [
  ["fields", fields],
  ["waiting", waiting],
  ["outcome", outcome],
  ["core-link", coreLink],
  ["pi-host", host],
  ["pi-session", session],
  ["pi-calls", calls],
  ["pi-turns", turns],
  ["load", load],
];

/** The adapter's source as one file. */
export function joinedPiExtension(): string {
  return joinParts(about, parts, forPi);
}

/** Where the shared sources name OMP to the core and to the person. Each must be there, or the file would speak for OMP. */
const named: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "core-link": [['["run-hook", "omp", "--serve"]', '["run-hook", "pi", "--serve"]']],
  outcome: [["tama install omp", "tama install pi"]],
};

function forPi(name: string, source: string): string {
  return (named[name] ?? [])
    .reduce((text, [omp, pi]) => {
      if (!text.includes(omp)) throw new Error(`${name} no longer says ${omp}`);
      return text.replaceAll(omp, pi);
    }, source)
    .replace(/\bOMP\b/g, "pi");
}
