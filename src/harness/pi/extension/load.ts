import { CoreLink } from "../../omp/extension/core-link.ts";
import { causeOf } from "../../omp/extension/fields.ts";
import { faultText } from "../../omp/extension/outcome.ts";
import { within } from "../../omp/extension/waiting.ts";
import { callEnded, decideCall, takeResult } from "./pi-calls.ts";
import type { Pi, PiContext } from "./pi-host.ts";
import { type PiSession, sessionFields, tell } from "./pi-session.ts";
import { activated, beforeEnd, beforeRun, compacted, typed, withWaiting } from "./pi-turns.ts";

const installed = { binary: "@tama-binary@", release: "@tama-release@" };
const shutdownMs = 1_200;

/** Every copy of this file in one process looks here first: what one copy answers, another must not ask again. */
const answered: WeakSet<object> = sharedSet();

/** pi calls this once for each session it loads the file into. */
export default function tama(pi: Pi): void {
  const { binary } = installed;
  let newest: PiContext | null = null;
  const say = (line: string): void => {
    if (newest !== null) tell(newest, line);
  };
  const session: PiSession = {
    core: new CoreLink(binary, say),
    binary,
    stamp: `${process.pid}-${Date.now().toString(36)}`,
    turn: 0,
    generation: 0,
    continuing: false,
    admitted: new Map(),
    waiting: [],
  };
  type Handle = (event: unknown, context: PiContext) => unknown;
  const on = (name: string, handle: Handle, onBug: (cause: string) => unknown = () => undefined): void =>
    pi.on(name, async (event, context) => {
      try {
        if (isCopy(event)) return undefined;
        newest = context;
        return await handle(event, context);
      } catch (thrown) {
        const cause = `the adapter failed: ${causeOf(thrown)}`;
        say(cause);
        return onBug(faultText(cause, binary));
      }
    });
  on("session_start", (_event, context) => activated(session, context));
  on(
    "input",
    (event, context) => typed(session, event, context),
    () => ({ action: "handled" }),
  );
  on("before_agent_start", () => beforeRun(session));
  on("turn_start", () => void session.turn++);
  on("context", (event) => withWaiting(session, event));
  on("session_compact", (event, context) => compacted(session, event, context));
  on(
    "tool_call",
    (event, context) => decideCall(session, event, context),
    (reason) => ({ block: true, reason }),
  );
  on("tool_result", (event, context) => takeResult(session, event, context));
  on("tool_execution_end", (event, context) => callEnded(session, event, context));
  on("agent_before_settle", (event, context) => beforeEnd(session, event, context));
  on("session_shutdown", async (_event, context) => {
    if (session.core.pid === null) return;
    await within(session.core.dispatch("session_end", sessionFields(session, context)).outcome, shutdownMs);
    session.core.end();
  });
}

/** A link beside the file is loaded as a second copy; both get the same object for an event. */
function isCopy(event: unknown): boolean {
  if (typeof event !== "object" || event === null) return false;
  if (answered.has(event)) return true;
  answered.add(event);
  return false;
}

function sharedSet(): WeakSet<object> {
  const place = Symbol.for("tama.pi");
  const there: unknown = Reflect.get(globalThis, place);
  if (there instanceof WeakSet) return there;
  const made = new WeakSet<object>();
  Reflect.set(globalThis, place, made);
  return made;
}
