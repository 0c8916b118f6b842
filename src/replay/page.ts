import { basename, dirname } from "node:path";
import { pageStyle } from "./page-style.ts";
import type { Refused, SessionReplay } from "./session-replay.ts";
import { stripOf } from "./strip.ts";
import { kindNames } from "./told.ts";
import type { GateTotals, Totals } from "./totals.ts";

/** One page that holds everything it shows: no script, nothing from the network. `at` is when it was made. */
export function pageOf(sessions: readonly SessionReplay[], totals: Totals, at: string): string {
  const refused = sessions.filter((one) => one.refusals.length > 0).sort(worstFirst);
  const quiet = sessions.filter((one) => one.refusals.length === 0 && one.calls > 0);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>tama replay</title><style>${pageStyle}</style></head><body><main>
<h1>What Tama would have refused</h1>
<p class="quiet">${count(totals.sessions, "session")}, ${count(totals.calls, "call")}, ${count(totals.endings, "ending")}${spanOf(sessions)}. Played ${text(at.slice(0, 16).replace("T", " "))} UTC.</p>
<div class="gates">${totals.gates.map(gateCard).join("")}</div>
${explained}
<h2>${refused.length === 0 ? "Nothing would have been refused" : `Sessions with refusals (${refused.length})`}</h2>
${refused.length === 0 ? "" : legend}
${refused.map((session, index) => sessionCard(session, index)).join("")}
${quietList(quiet)}
</main></body></html>
`;
}

const explained = `<p class="quiet small">A refused call ran in the transcript all the same, and what it then got judges the refusal.
<span class="in-right">Right</span>: the same answer again. <span class="in-wrong">Wrong</span>: another answer, or success.
<span class="in-undecided">Undecided</span>: nothing there tells; endings and guarded settings are for you to judge.</p>`;

const legend = `<p class="legend quiet small"><span style="--of:var(--changes)">changes something</span><span style="--of:var(--unknown)">may change something</span><span style="--of:var(--reads)">looks</span><span style="--of:var(--waits)">waits</span><span style="--of:var(--person)">a person wrote</span></p>`;

function worstFirst(one: SessionReplay, other: SessionReplay): number {
  const wrong = (session: SessionReplay): number => session.refusals.filter((row) => row.judgement === "wrong").length;
  return wrong(other) - wrong(one) || other.refusals.length - one.refusals.length;
}

function gateCard(totals: GateTotals): string {
  const { gate, asked, refusals, right, wrong, undecided, byKind } = totals;
  const parts = [
    ["right", right],
    ["wrong", wrong],
    ["undecided", undecided],
  ] as const;
  const bar = parts.map(([name, of]) => (of === 0 ? "" : `<i class="bg-${name}" style="flex:${of}"></i>`)).join("");
  const said = parts.map(([name, of]) => (of === 0 ? "" : `<span class="in-${name}">${of} ${name}</span>`));
  const kinds = Object.entries(byKind).map(
    ([kind, own]) =>
      `<br>${own.refusals} ${text(kindNames[kind] ?? kind)}${own.wrong === 0 ? "" : `, ${own.wrong} wrong`}`,
  );
  return `<div class="gate"><b>${text(gate)}</b><div class="count">${refusals}</div><div class="bar">${bar}</div>
<div class="small">${said.filter((one) => one !== "").join(" · ") || '<span class="quiet">no refusal</span>'}</div>
<div class="small quiet">asked ${asked.toLocaleString("en")} times${rate(refusals, asked)}${kinds.join("")}</div></div>`;
}

function rate(refusals: number, asked: number): string {
  return refusals === 0 ? "" : `, spoke once in ${Math.round(asked / refusals).toLocaleString("en")}`;
}

function sessionCard(session: SessionReplay, index: number): string {
  const rows = session.refusals.map((refused, at) => ({ refused, name: `s${index}r${at}` }));
  const marks = rows.map(({ refused, name }) => ({
    index: refused.index,
    judgement: refused.judgement,
    name,
    title: text(`${refused.gate}, ${refused.judgement}`),
  }));
  const stopped = session.stopped === null ? "" : `<p class="small in-wrong">${text(session.stopped.cause)}</p>`;
  return `<section class="session"><header><h3>${text(nameOf(session.path))}</h3>
<span class="quiet small">${text(session.harness)} · ${count(session.calls, "call")}${dayOf(session)}</span></header>
<div class="scroll">${stripOf(session.strip, marks)}</div>
${rows
  .filter((one) => one.refused.call !== null)
  .map(rowOf)
  .join("")}${endingRows(rows.filter((one) => one.refused.call === null))}
${stopped}<p class="small quiet path">${text(session.path)}</p></section>`;
}

interface Row {
  readonly refused: Refused;
  readonly name: string;
}

/** Endings are many and for a person to judge: they stand behind one line where there are more than a few. */
function endingRows(rows: readonly Row[]): string {
  const shown = rows.map(rowOf).join("");
  if (rows.length <= 3) return shown;
  return `<details><summary>${count(rows.length, "ending")} that would have been sent back</summary><div class="inner">${shown}</div></details>`;
}

function rowOf({ refused, name }: Row): string {
  const got =
    refused.call === null
      ? ""
      : `<p class="small quiet">What it got in the transcript (${text(refused.because)})</p><pre>${text(refused.got === "" ? "(nothing)" : refused.got)}</pre>`;
  const where = refused.line === null ? `byte ${refused.byte}` : `line ${refused.line}`;
  return `<details id="${name}"><summary><span class="chip in-${refused.judgement}">${refused.judgement}</span>
<span class="small quiet">${where} · ${text(refused.gate)}</span><code>${text(refused.shown.split("\n")[0] ?? "")}</code></summary>
<p class="small quiet">${refused.call === null ? "The ending" : `The call${refused.tool === null ? "" : ` (${text(refused.tool)})`}`}</p><pre>${text(refused.shown)}</pre>
<p class="small quiet">What the agent would have read</p><pre>${text(refused.reason)}</pre>${got}</details>`;
}

function quietList(sessions: readonly SessionReplay[]): string {
  if (sessions.length === 0) return "";
  const names = sessions.map((one) => `<li>${text(nameOf(one.path))} <span class="quiet">${one.calls}</span></li>`);
  return `<h2>Without a refusal (${sessions.length})</h2><details><summary>their names, with their calls</summary><ul class="plain small">${names.join("")}</ul></details>`;
}

function nameOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path, ".jsonl")}`;
}

function dayOf(session: SessionReplay): string {
  return session.from === null ? "" : ` · ${text(session.from.slice(0, 10))}`;
}

function spanOf(sessions: readonly SessionReplay[]): string {
  const days = sessions.flatMap((one) => (one.from === null ? [] : [one.from.slice(0, 10)])).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return "";
  return first === last ? ` on ${text(first)}` : ` from ${text(first)} to ${text(last)}`;
}

function count(of: number, noun: string): string {
  return `${of.toLocaleString("en")} ${noun}${of === 1 ? "" : "s"}`;
}

function text(raw: string): string {
  return raw.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}
