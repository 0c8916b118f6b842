import { cutMiddle, printable } from "../../base/printable.ts";
import type { Refusal } from "../../base/verdict.ts";
import { toolKind } from "../../calls/kind.ts";
import { shellLine } from "../../calls/shell-line.ts";
import { onlyOwnCommands } from "../../shell/own-commands.ts";
import { type Look, lookAsked, openCall } from "../../transcript/ledger.ts";
import type { Payload } from "../../words/event.ts";
import type { Asked, Gate, LedgerFact } from "../gate.ts";
import { lawfulWait } from "../lawful-wait.ts";
import { unreadableSentence, wayPastUnreadable } from "../unreadable-transcript.ts";

/**
 * A repeated look is not work (spec: conduct gates): a call is refused when the same one already answered and nothing that this session did
 * since could change its answer. What could is the ledger's matter: whatever did has emptied it.
 */
export const blockWaitPolling: Gate = {
  id: "block-wait-polling",
  needs: ["ledger", "changedBeside"],
  decide,
  wording: (refusal) =>
    refusal.evidence === undefined
      ? `BLOCKED: ${refusal.what} ${refusal.why} ${refusal.instead}`
      : `BLOCKED: ${refusal.what} It was answered: ${refusal.evidence}\n\n${refusal.why} ${refusal.instead}`,
};

type ReadLedger = Extract<LedgerFact, { kind: "read" }>;

function decide({ event, harness, facts }: Asked): Refusal | null {
  const fact = facts.ledger;
  if (event.event !== "tool_call" || fact === undefined || fact.kind === "none") return null;
  if (fact.kind === "unreadable") {
    return {
      what: unreadableSentence(fact, "whether this call repeats a look cannot be told"),
      why: "A look that the unread part holds would go uncounted.",
      instead: wayPastUnreadable(fact, event.payload),
    };
  }
  const call = event.payload;
  const kind = call.kind ?? toolKind(harness, call.tool);
  const line = kind === "shell" ? shellLine(call.input) : null;
  // Tama's and Oko's own commands are the ways out that refusals name; they stay open however often one is needed.
  if (line !== null && onlyOwnCommands(line)) return null;
  const look = repeatedLook(fact, call);
  if (look === null || isOlder(look, facts.changedBeside?.() ?? null)) return null;
  return refusalOf(fact, look, call, harness, line);
}

/** What another agent of the session changed since is this session's doing too. */
function isOlder(look: Look, change: string | null): boolean {
  return look.time !== null && change !== null && Date.parse(look.time) < Date.parse(change);
}

/** The look this call would repeat; none while a call that may change something is under way, or within one assistant message. */
function repeatedLook(fact: ReadLedger, call: Payload<"tool_call">): Look | null {
  const { ledger, format } = fact;
  const look = format === null ? null : lookAsked(ledger, format, call);
  if (look === null || look.failed) return null;
  const current = openCall(ledger, call);
  if (current !== undefined && current.message !== null && current.message === look.message) return null;
  const others = Object.values(ledger.open).filter((open) => open !== current && !open.late);
  const underWay = others.some((open) => open.effect !== "reads" || (look.plan === true && open.plan === "writes"));
  return underWay ? null : look;
}

function refusalOf(
  fact: ReadLedger,
  look: Look,
  call: Payload<"tool_call">,
  harness: string,
  line: string | null,
): Refusal {
  const when = look.time ?? `byte ${look.at} of this session's transcript`;
  const answer = fact.answerTo(look);
  const quoted = answer === null ? "(its answer is no longer in the transcript)" : printable(answer);
  const wait = line === null ? "" : `\n${lawfulWait(harness, call, line)}`;
  return {
    what: `this exact call already ran at ${when} and nothing this session did since could change its answer: only other looks and refused calls came after it.`,
    why: "The same look gets the same answer, and a repeated look is not work.",
    instead: `Work with that answer, or make another look. Any change (an edit, a commit, a command that changes something) and any message of a person lets this call pass.${wait}`,
    evidence: cutMiddle(quoted.trim() === "" ? "(nothing: its answer was empty)" : quoted, quotedBytesMax),
  };
}

/** Harnesses cut a tool's answer far below this; a refusal must still fit into what a hook may say. */
const quotedBytesMax = 384 * 1024;
