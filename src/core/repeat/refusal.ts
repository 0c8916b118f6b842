import { printable } from "../../base/printable.ts";
import { quotedFlag, quotedWord } from "../../base/quoted-word.ts";
import type { Refusal } from "../../base/verdict.ts";
import type { KeptCall } from "../../words/kept-calls.ts";
import type { Owner } from "./call.ts";

/** Why a kept call is held. `anyChange`: under this setting not only a write or edit releases it. `binding`: open defects that hold it. */
export interface HeldCall {
  readonly kept: KeptCall;
  readonly anyChange: boolean;
  readonly binding?: readonly string[];
}

/** The refusal of a repeated call, in the spec's sentence, with the ways out that work. */
export function repeatRefusal(
  owner: Owner,
  call: string,
  held: HeldCall,
): { readonly reason: string; readonly refusal: Refusal } {
  const { kept, binding = [] } = held;
  const said = printable(kept.said);
  const what = `this session's same call was ${kept.by} at ${kept.at}: ${said}.`;
  const why = "Repeated unchanged it gets the same answer and the failure stays unconnected.";
  const instead = binding.length > 0 ? waysOutOfDefect(owner, held, binding) : waysOut(owner, call, held);
  const whole =
    kept.answer.trim() === kept.said.trim() || kept.answer.trim() === ""
      ? ""
      : `\nIts whole answer was:\n${printable(kept.answer)}`;
  return {
    reason: `${what} ${why} ${instead}${whole}`,
    refusal: { what, why, instead, evidence: printable(kept.answer === "" ? kept.said : kept.answer) },
  };
}

function waysOut(owner: Owner, call: string, held: HeldCall): string {
  return [
    `Work on its cause: change what it needs (${releases(held)} releases it), or send a changed call.`,
    `If something outside this session changed, say what: tama calls retry ${call} ${addressOf(owner)} --because "<what changed>".`,
    `If the functionality itself is broken, record the one defect that binds it: oko defects record "<title>" --blocks "<PROGRAM WORDS>".`,
  ].join(" ");
}

function releases(held: HeldCall): string {
  return held.anyChange
    ? "a successful write or edit, or any call that changes something,"
    : "a successful write or edit";
}

/** An open defect outlasts a retry, so the retry is not offered: it would not let the call through. */
function waysOutOfDefect(owner: Owner, held: HeldCall, binding: readonly string[]): string {
  const named = binding.map(quotedWord);
  const [first = ""] = named;
  return [
    `Oko's open defect ${named.join(", ")} binds this call, so saying why it differs does not release it (oko defects show ${first}).`,
    `Work on that defect: ${releases(held)} releases this call, and so does the defect's end:`,
    `oko defects fix ${first} ${quotedFlag("--by", owner.session)} --commit <commit>, then oko defects verify ${first}.`,
  ].join(" ");
}

/** The flags that name whose call it is; a subagent's calls are its own. */
export function addressOf(owner: Owner): string {
  const session = quotedFlag("--session", owner.session);
  return owner.agentId === null ? session : `${session} ${quotedFlag("--agent", owner.agentId)}`;
}
