import { printable } from "../../base/printable.ts";
import type { Refusal } from "../../base/verdict.ts";
import type { KeptCall } from "../../words/kept-calls.ts";
import type { Owner } from "./call.ts";

/** The refusal of a repeated call, in the spec's sentence, with the ways out that work. */
export function repeatRefusal(
  owner: Owner,
  call: string,
  kept: KeptCall,
  binding: readonly string[] = [],
): { readonly reason: string; readonly refusal: Refusal } {
  const said = printable(kept.said);
  const what = `this session's same call was ${kept.by} at ${kept.at}: ${said}.`;
  const why = "Repeated unchanged it gets the same answer and the failure stays unconnected.";
  const instead = binding.length > 0 ? waysOutOfDefect(owner, binding) : waysOut(owner, call);
  const whole =
    kept.answer.trim() === kept.said.trim() || kept.answer.trim() === ""
      ? ""
      : `\nIts whole answer was:\n${printable(kept.answer)}`;
  return {
    reason: `${what} ${why} ${instead}${whole}`,
    refusal: { what, why, instead, evidence: printable(kept.answer === "" ? kept.said : kept.answer) },
  };
}

function waysOut(owner: Owner, call: string): string {
  return [
    "Work on its cause: change what it needs (a successful write or edit, or any call that changes something, releases it), or send a changed call.",
    `If something outside this session changed, say what: tama calls retry ${call} ${addressOf(owner)} --because "<what changed>".`,
    `If the functionality itself is broken, record the one defect that binds it: oko defects record "<title>" --blocks "<PROGRAM WORDS>".`,
  ].join(" ");
}

/** An open defect outlasts a retry, so the retry is not offered: it would not let the call through. */
function waysOutOfDefect(owner: Owner, binding: readonly string[]): string {
  const named = binding.map(quoted);
  const [first = ""] = named;
  return [
    `Oko's open defect ${named.join(", ")} binds this call, so saying why it differs does not release it (oko defects show ${first}).`,
    "Work on that defect: a successful write or edit, or any call that changes something, releases this one, and so does the defect's end:",
    `oko defects fix ${first} --by ${quoted(owner.session)} --commit <commit>, then oko defects verify ${first}.`,
  ].join(" ");
}

/** The flags that name whose call it is; a subagent's calls are its own. */
function addressOf(owner: Owner): string {
  return `--session ${quoted(owner.session)}${owner.agentId === null ? "" : ` --agent ${quoted(owner.agentId)}`}`;
}

/** Most session ids are plain; one that is not must still be copyable into a shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9._/:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
