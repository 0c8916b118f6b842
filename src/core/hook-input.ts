import type { DeclaredHook } from "../words/declaration.ts";
import type { HookEvent } from "../words/event.ts";
import type { Assignment } from "../words/supervised.ts";
import { claudeCodeInput } from "./claude-code-input.ts";

/** What one hook is told (contract 4), and the environment it gets beside the core's own. */
export interface HookInputRequest {
  readonly hook: DeclaredHook;
  readonly event: HookEvent;
  readonly dispatch: string;
  readonly home: string;
  readonly harness: string;
}

export interface HookInput {
  readonly stdin: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly program: Assignment["program"];
  readonly command: string;
}

export function hookInput(request: HookInputRequest): HookInput {
  const { hook, event } = request;
  const { program } = hook;
  if ("gate" in program)
    return {
      stdin: tamaInput(request),
      environment: {},
      program: { gate: program.gate },
      command: `tama hook ${program.gate}`,
    };
  const contract = program.contract ?? "tama";
  const said = { program: { command: [...program.command], contract }, command: program.command.join(" ") };
  if (contract === "tama") return { ...said, stdin: tamaInput(request), environment: {} };
  return { ...said, ...claudeCodeInput(event, request.harness) };
}

/** The normalized event as one object: its fields, its name, and who asks. */
function tamaInput(request: HookInputRequest): string {
  const { hook, event, dispatch, home, harness } = request;
  return `${JSON.stringify({ ...event.payload, event: event.event, tama: { dispatch, hook: hook.id, home, harness } })}\n`;
}
