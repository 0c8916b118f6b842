import { type Effect, shellEffect } from "../shell/effect.ts";
import { type ToolKind, toolKind } from "./kind.ts";
import { shellLine } from "./shell-line.ts";

export interface EffectOf {
  readonly harness: string;
  readonly tool: string;
  readonly kind?: ToolKind;
  readonly input: unknown;
}

/** What a call can do to the answers of later calls. */
export function callEffect(call: EffectOf): Effect {
  const kind = call.kind ?? toolKind(call.harness, call.tool);
  if (kind === "shell") return shellEffect(shellLine(call.input) ?? "\0");
  return kind === "write" ? "changes" : kind === "read" || kind === "search" ? "reads" : "unknown";
}
