import type { RefusalId } from "../base/ids.ts";
import { printable } from "../base/printable.ts";
import { infrastructure } from "../base/verdict.ts";
import type { HookRun } from "../supervision/run-hook.ts";
import type { HookReport, PassAnswer, RefuseAnswer } from "../words/wire.ts";

export type FoldedAnswer = PassAnswer | RefuseAnswer;

/** All hooks' verdicts as one answer (contract 3.3). `runs` are in declaration order. */
export function foldVerdicts(runs: readonly HookRun[], newRefusal: () => RefusalId): FoldedAnswer {
  const hooks = runs.map(reportOf);
  const refusals = runs.filter((run) => run.verdict.kind !== "pass");
  const first = refusals[0];
  if (first === undefined)
    return { ok: true, verdict: "pass", hooks, ...joined("context", runs), ...joined("notes", runs) };
  const judged = refusals.some((run) => run.verdict.kind === "refuse");
  return {
    ok: true,
    verdict: "refuse",
    ...(judged ? {} : { infrastructure: true as const }),
    blockedHookId: first.hook,
    refusal: newRefusal(),
    reason: refusals.map(reasonOf).join("\n\n"),
    hooks,
  };
}

/** The words of one hook that does not pass. */
export function reasonOf(run: HookRun): string {
  const { verdict } = run;
  if (verdict.kind === "refuse") return printable(verdict.reason);
  const said = infrastructure(run.hook, verdict.kind === "fault" ? verdict.cause : "passed");
  return printable(
    `${said}\nThis hook judged nothing, so nothing passes it. Repair it, or the operator takes it out: tama hooks withdraw ${run.hook}`,
  );
}

function reportOf(run: HookRun): HookReport {
  const verdict = run.verdict.kind === "fault" ? "infrastructure" : run.verdict.kind;
  return { hook: run.hook, verdict, ms: run.ms };
}

function joined(field: "context" | "notes", runs: readonly HookRun[]): Partial<Pick<PassAnswer, "context" | "notes">> {
  const texts = runs.flatMap((run) =>
    run.verdict.kind === "pass" && run.verdict[field] !== undefined ? [run.verdict[field]] : [],
  );
  return texts.length === 0 ? {} : { [field]: texts.join("\n\n") };
}
