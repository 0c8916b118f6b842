import { printable } from "../../base/printable.ts";
import type { Refusal } from "../../base/verdict.ts";
import { isShellBuiltin } from "../../shell/builtins.ts";
import { clipboardLines } from "../../shell/clipboard.ts";
import { isLiteral } from "../../shell/shell-words.ts";
import { completeCommands, statementsOf } from "../../shell/statements.ts";
import type { Ledger } from "../../transcript/ledger.ts";
import { plainWords } from "../../transcript/plain-words.ts";
import type { Asked, Facts, Gate } from "../gate.ts";
import { handedLines } from "../handed-commands.ts";
import { pleaIn } from "../pleas.ts";
import { unreadableSentence, wayPastUnreadable } from "../unreadable-transcript.ts";

/**
 * A report is not the work it describes (spec: conduct gates): refuses an ending said again after a refusal with nothing changed, a plea
 * without one command on the clipboard that can run, and an ending without its attestation word for word. No model decides it.
 */
export const blockStopOnOwnWork: Gate = {
  id: "block-stop-on-own-work",
  needs: ["ledger", "attestation", "programThere", "shells"],
  decide,
};

function decide({ event, facts }: Asked): Refusal | null {
  if (event.event !== "stop") return null;
  const { answer } = event.payload;
  const fact = facts.ledger;
  if (fact?.kind === "unreadable") {
    return {
      what: `${unreadableSentence(fact, "whether this ending repeats a refused one cannot be told")}.`,
      why: "An ending is judged by what the session did.",
      instead: wayPastUnreadable(fact, event.payload),
    };
  }
  const ledger = fact?.kind === "read" ? fact.ledger : null;
  return (
    (ledger === null ? null : saidAgain(answer, ledger)) ??
    plea(answer, ledger, facts) ??
    unattested(answer, facts.attestation ?? [])
  );
}

function saidAgain(answer: string, ledger: Ledger): Refusal | null {
  if (ledger.refusedEndings.length === 0) return null;
  const now = plainWords(answer);
  const earlier = ledger.refusedEndings.find((said) => isSame(said, now));
  if (now === "" || earlier === undefined) return null;
  return {
    what: "this ending says again what an earlier refused ending said, and no call changed anything since.",
    why: "Said twice, a report is still not the work it describes.",
    instead:
      "Do the work that the refusal names (an edit, a command that changes something), then end. Where nothing was left to change, take a look not made yet and end in other words, with what it showed.",
    evidence: printable(answer),
  };
}

/** A longer ending that holds the refused one whole says it again too. */
function isSame(said: string, now: string): boolean {
  return said === now || (said.length >= wholeSentence && ` ${now} `.includes(` ${said} `));
}

/** Shorter ones ("done") stand within many an ending that says more. */
const wholeSentence = 80;

function plea(answer: string, ledger: Ledger | null, facts: Facts): Refusal | null {
  const asked = pleaIn(answer);
  if (asked === null) return null;
  const why = "Who is asked to act gets the one command ready to paste, not a description of it.";
  const evidence = printable(asked);
  const what = `this ending asks a person to run or decide something (“${shortened(evidence)}”)`;
  const there = facts.programThere ?? (() => true);
  const copy = clipboardLines.find((line) => there(line.split(" ")[0] ?? ""));
  const copied = ledger?.clipboard;
  // Without a screen such a program is there and does nothing.
  const none = copied?.failed === true ? "copying failed on this machine" : "this machine has no clipboard";
  if (copy === undefined || copied?.failed === true) {
    const handed = handedLines(answer, facts.shells ?? []);
    const wrong = handed.length === 1 ? whyItCannotRun(handed[0] ?? "", there) : `${handed.length} commands`;
    if (wrong === null) return null;
    return {
      what: `${what}, and ${none}, so one command in a shell fence must stand for it; there is: ${wrong}.`,
      why,
      instead:
        "Decide and do it yourself where that is yours to do. Else run exactly one command here, so that its refusal is known, and end with it in one ```sh fence.",
      evidence,
    };
  }
  const wrong = copied == null ? "no call since the person's last message put a command on the clipboard" : null;
  const cannot = wrong ?? whyNotOne(copied?.text ?? null, there);
  if (cannot === null) return null;
  return {
    what: `${what}, but ${cannot}.`,
    why,
    instead: `Decide and do it yourself where that is yours to do. Else put exactly one command on the clipboard: printf '%s' '<command>' | ${copy}`,
    evidence,
  };
}

/**
 * What is on the clipboard must be one command that can run. Where the transcript cannot tell what it is (another program printed it, a file
 * somebody else wrote), it counts: that a call copied something is all that is known, and a guess would refuse what is right.
 */
function whyNotOne(text: string | null, there: (program: string) => boolean): string | null {
  if (text === null) return null;
  const wrong = whyItCannotRun(text, there);
  return wrong === null ? null : `what the clipboard was given is ${wrong}`;
}

function whyItCannotRun(text: string, there: (program: string) => boolean): string | null {
  const [command, ...others] = completeCommands(text) ?? [];
  if (command === undefined) return `no command a shell can parse: ${shortened(text.trim())}`;
  if (others.length > 0) return `${others.length + 1} commands, of which each stands in a line of its own`;
  const programs = (statementsOf(command) ?? []).flatMap(({ commands }) => commands.map(({ program }) => program));
  const missing = programs.find((name) => name !== "" && isLiteral(name) && !isShellBuiltin(name) && !there(name));
  return missing === undefined ? null : `a command whose program is not on this machine: ${missing}`;
}

function unattested(answer: string, attestation: readonly string[]): Refusal | null {
  if (attestation.length === 0) return null;
  const said = spaced(answer);
  const missing = attestation.filter((line) => !said.includes(spaced(line)));
  if (missing.length === 0) return null;
  return {
    what: "this ending does not carry its attestation word for word.",
    why: "Whoever ends says what it did not leave undone; what is not so is to be done first.",
    instead: `Do what keeps a line from being true; where nothing does, make sure by a look not made yet. Then end in other words than those refused, with these lines in the answer, word for word:\n${attestation.join("\n")}`,
    evidence: missing.join("\n"),
  };
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function shortened(text: string): string {
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text;
}

const shownCharsMax = 300;
