import { maskSecrets } from "../base/mask.ts";
import { printableRow } from "../base/printable.ts";
import { quotedFlag } from "../base/quoted-word.ts";
import { parseCallId } from "../calls/identity.ts";
import { readCatalog } from "../core/catalog.ts";
import { addGrant } from "../core/grants.ts";
import { isThere } from "../disk/is-there.ts";
import { readRecord } from "../disk/read-record.ts";
import { failedCallsSchema } from "../words/kept-calls.ts";
import type { Command, Context } from "./command.ts";
import { openNotes } from "./notes.ts";

export const command: Command = {
  usage: "grant once --session S (--call C | --hook H) --because WHY",
  about:
    "Lets one gate's refusal through, once: of one call (tama why names it), or the next refusal of one hook. Spent when that call is admitted.",
  example: 'tama grant once --session 0f3c --hook no-force-push --because "the branch is mine alone"',
  args: {
    session: { type: "string", required: true, valueHint: "id", description: "the session, as tama status names it" },
    call: { type: "string", valueHint: "id", description: "the call, 16 hexadecimal digits" },
    hook: { type: "string", valueHint: "id", description: "the hook, as tama hooks declared names it" },
    because: { type: "string", required: true, valueHint: "why", description: "why it is right; kept with the grant" },
  },
  run: async (context, given) => {
    const [session = "", because = ""] = [given.text("session"), given.text("because")];
    const [call, hook] = [given.text("call"), given.text("hook")];
    if ((call === undefined) === (hook === undefined)) {
      context.err(`tama grant once: name one of --call and --hook\nusage: tama ${command.usage}\n`);
      return 2;
    }
    const unfit = because.trim() === "" ? "--because says nothing" : unfitTarget(context, call, hook);
    const target = call === undefined ? { hook: hook ?? "" } : { call };
    const added =
      unfit === null
        ? await addGrant(context.home, { session, ...target, because: maskSecrets(because), at: context.clock.iso() })
        : { ok: false as const, cause: unfit };
    if (!added.ok) {
      context.err(`grant once: ${added.cause}\n`);
      return 1;
    }
    context.out(call === undefined ? `granted: the next refusal of ${hook}, once\n` : `granted: call ${call}, once\n`);
    if (!isThere(context.home.sessionRecord(session, null)))
      openNotes().note(`No session ${printableRow(session)} was seen here yet; tama status names those that were.`);
    if (call !== undefined) tellOfHold(context, session, call);
    return 0;
  },
};

function unfitTarget(context: Context, call: string | undefined, hook: string | undefined): string | null {
  if (call !== undefined)
    return parseCallId(call) === null ? `${JSON.stringify(call)} is no call: 16 hexadecimal digits` : null;
  if (hook === "repeat") return "the repeat rule takes no grant; tama calls retry lifts the hold on a call";
  const catalog = readCatalog(context.home);
  if (!catalog.ok) return catalog.cause;
  const declared = catalog.value.hooks.map(({ id }) => id);
  if (declared.includes(hook ?? "")) return null;
  return `no hook ${JSON.stringify(hook)} is declared; there are ${declared.join(", ") || "none"}`;
}

/** A refused call is also held by the repeat rule, and that hold no grant lifts. */
function tellOfHold(context: Context, session: string, call: string): void {
  const record = readRecord(context.home.failedCalls(session, null), failedCallsSchema);
  const kept = record.ok ? record.value?.calls[call] : undefined;
  if (kept === undefined || kept.retry != null) return;
  openNotes().note(
    `The repeat rule holds this call too, before any gate is asked. Lift that as well: tama calls retry ${call} ${quotedFlag("--session", session)} --because "<what changed>"`,
  );
}
