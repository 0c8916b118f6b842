import { Adapter } from "./adapter.ts";
import { type Host, usualTimes } from "./host.ts";
import { startedToPrint, stayInTheForeground } from "./own-settings.ts";

const installed = { binary: "@tama-binary@", release: "@tama-release@" };
const place = Symbol.for("tama.omp");

/** OMP calls this once for each session or subagent it loads the file into. */
export default function tama(pi: Host): void {
  if (startedToPrint(process.argv)) stayInTheForeground(pi);
  const first = attachOf(Reflect.get(globalThis, place));
  if (first !== null) {
    first(pi);
    return;
  }
  const adapter = new Adapter({ binary: installed.binary, ...usualTimes });
  Reflect.set(globalThis, place, adapter);
  adapter.attach(pi);
}

function attachOf(adapter: unknown): ((pi: Host) => void) | null {
  if (typeof adapter !== "object" || adapter === null || !("attach" in adapter)) return null;
  const attach = adapter.attach;
  return typeof attach === "function" ? (pi) => void Reflect.apply(attach, adapter, [pi]) : null;
}
