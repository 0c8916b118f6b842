import { bindsShellLine, bindsToolName } from "../../shell/bound-words.ts";
import type { DefectRegister } from "../../words/records.ts";

/** The call as the defect register binds it: a shell call by its command line, every other by its tool's name. */
export interface BoundCall {
  readonly tool: string;
  readonly line: string | null;
}

/** The open defects that bind a call. */
export function openDefects(register: DefectRegister | null, call: BoundCall): readonly string[] {
  return (register?.open ?? []).filter((defect) => binds(defect.blocks, call)).map((defect) => defect.id);
}

/**
 * The closures of defects that bind a call, as `<defect>@<event>`: a closure is a defect having left the open snapshot, named by the
 * newest event that fixed or withdrew it. One closed before events were kept has none and releases nothing.
 */
export function closuresOf(register: DefectRegister | null, call: BoundCall): readonly string[] {
  const open = new Set((register?.open ?? []).map((defect) => defect.id));
  const closures: string[] = [];
  for (const defect of register?.closed ?? []) {
    if (defect.closure !== null && !open.has(defect.id) && binds(defect.blocks, call))
      closures.push(`${defect.id}@${defect.closure}`);
  }
  return closures;
}

function binds(blocks: readonly string[], call: BoundCall): boolean {
  return blocks.some((words) =>
    call.line === null ? bindsToolName(words, call.tool) : bindsShellLine(words, call.line),
  );
}
