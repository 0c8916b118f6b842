import * as v from "valibot";
import { type EventName, type HookEvent, parseEvent } from "../../words/event.ts";
import { readHostInput, type Unfit, unfit } from "../host-input.ts";
import {
  type CallRecord,
  type Ending,
  endingOfCall,
  isFirstOfAnswer,
  recordOfCall,
  type UnheardResult,
  unheardResults,
} from "./rollout.ts";

/** What one of Codex's events is to Tama. `host` is Codex's own name of it, null where not even that can be read. */
export type HostEvent =
  | {
      readonly kind: "decide";
      readonly host: string;
      /** In the order in which they count; the answer is made of the last one's. */
      readonly events: readonly HookEvent[];
      /** A shell call's line, and whether the model asked for a terminal; null where Codex does not say. */
      readonly shell: { readonly line: string; readonly terminal: boolean | null } | null;
      /** False where the rollout does not say yet how a shell call ended: Codex writes it from another thread than the one that asks. */
      readonly told: boolean;
    }
  /** It carries no decision of ours, so it goes on untouched. */
  | { readonly kind: "let-go"; readonly host: string }
  | Unfit;

const text = v.nullish(v.string());
const any = v.optional(v.unknown());

/** The fields Tama reads (Codex 0.171.0); all others are left alone. */
const hostSchema = v.looseObject({
  hook_event_name: v.pipe(v.string(), v.nonEmpty()),
  session_id: text,
  turn_id: text,
  transcript_path: text,
  agent_transcript_path: text,
  cwd: text,
  agent_id: text,
  prompt: any,
  tool_name: any,
  tool_input: any,
  tool_use_id: text,
  tool_response: any,
  stop_hook_active: v.nullish(v.boolean()),
  last_assistant_message: text,
});
type Host = v.InferOutput<typeof hostSchema>;
type Meant = readonly [EventName, object];

/** Reads what Codex wrote on stdin. Never throws: input that does not fit is told with its place. */
export function readHostEvent(stdin: string): HostEvent {
  const input = readHostInput(stdin, "Codex", hostSchema);
  if (input.kind === "unfit") return input;
  const { host } = input;
  const name = host.hook_event_name;
  if (letGo.has(name)) return { kind: "let-go", host: name };
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  if (meaning === undefined) return unfit(host, `Tama does not know the event ${JSON.stringify(name)}`);
  if (host.session_id == null || host.session_id === "") return unfit(host, "stdin.session_id: missing");
  const record = name === "PreToolUse" || name === "PostToolUse" ? recordOf(host) : null;
  const events: HookEvent[] = [];
  for (const [event, own] of [...unheardBefore(host, record), ...meaning(host, record)]) {
    const taken = parseEvent(event, { ...common(host), ...own });
    if (typeof taken === "string") return unfit(host, taken);
    events.push(taken);
  }
  if (events.length === 0) return { kind: "let-go", host: name };
  const shell = name === "PreToolUse" ? shellOf(host, record) : null;
  return { kind: "decide", host: name, events, shell, told: !endingIsMissing(host) };
}

/** Events that need no answer of Tama's: a permission dialog is the person's, and the rest tell nothing that is kept. */
const letGo: ReadonlySet<string> = new Set([
  "PermissionRequest",
  "PreModelRequest",
  "PostModelRequest",
  "PreCompact",
  "SubagentStart",
  "Interrupt",
]);

/** Codex's events in the contract's terms (contract 2). No event at all = let go. */
const meanings: Readonly<Record<string, (host: Host, record: CallRecord | null) => readonly Meant[]>> = {
  SessionStart: () => [["session_start", {}]],
  SessionEnd: () => [["session_end", {}]],
  // A subagent's task comes as a prompt too; no person wrote it.
  UserPromptSubmit: (host) => (subagentOf(host) === null ? [["input", { text: host.prompt }]] : []),
  PostCompact: () => [["compact", {}]],
  PreToolUse: (host, record) => [["tool_call", call(host, record)]],
  PostToolUse: (host, record) => [["tool_result", { ...call(host, record), ...result(host) }]],
  Stop: (host) => [["stop", ending(host)]],
  SubagentStop: (host) => [["stop", { ...ending(host), agent: "sub" }]],
};

function common(host: Host): object {
  const agentId = subagentOf(host);
  return {
    session: host.session_id,
    ...(agentId === null ? { agent: "main" } : { agentId, agent: "sub" }),
    cwd: host.cwd,
    transcript: rolloutOf(host),
  };
}

function subagentOf(host: Host): string | null {
  return host.agent_id == null || host.agent_id === "" ? null : host.agent_id;
}

function rolloutOf(host: Host): string | null {
  return (subagentOf(host) === null ? null : host.agent_transcript_path) ?? host.transcript_path ?? null;
}

function recordOf(host: Host): CallRecord | null {
  const rollout = rolloutOf(host);
  return rollout === null || host.tool_use_id == null ? null : recordOfCall(rollout, host.tool_use_id);
}

/** `justification` is what the model says for the person it asks; Codex has no other word on what a call is for. */
function call(host: Host, record: CallRecord | null): object {
  const purpose = record?.args?.["justification"];
  return {
    tool: host.tool_name,
    ...("tool_input" in host ? { input: host.tool_input } : {}),
    call: host.tool_use_id,
    message: record?.message ?? null,
    ...(typeof purpose === "string" && purpose !== "" ? { purpose } : { purposeUnknown: true }),
  };
}

/** Codex tells its hooks a program's output and not how it ended; the exit code stands in the rollout. */
function result(host: Host): object {
  const rollout = rolloutOf(host);
  const ended: Ending | null =
    rollout === null || host.tool_use_id == null ? null : endingOfCall(rollout, host.tool_use_id);
  const { tool_response: response } = host;
  return {
    isError:
      ended?.failed ?? (typeof response === "object" && response !== null && Reflect.get(response, "isError") === true),
    text: typeof response === "string" ? response : response === undefined ? "" : JSON.stringify(response),
    details: ended === null || ended.exitCode === null ? null : { exit_code: ended.exitCode },
  };
}

function endingIsMissing(host: Host): boolean {
  const rollout = rolloutOf(host);
  if (host.hook_event_name !== "PostToolUse" || host.tool_name !== "Bash") return false;
  return rollout !== null && host.tool_use_id != null && endingOfCall(rollout, host.tool_use_id) === null;
}

/** The results no hook was told of, before the first call of the next answer or the turn's end. */
function unheardBefore(host: Host, record: CallRecord | null): readonly Meant[] {
  const rollout = rolloutOf(host);
  const turn = host.turn_id;
  const name = host.hook_event_name;
  if (rollout === null || turn == null) return [];
  if (name === "Stop" || name === "SubagentStop") return unheardResults(rollout, turn, null).map(told);
  if (name !== "PreToolUse" || record === null || host.tool_use_id == null) return [];
  return isFirstOfAnswer(rollout, host.tool_use_id, record.message)
    ? unheardResults(rollout, turn, record.message).map(told)
    : [];
}

function told({ tool, input, callId, message, isError, text: said }: UnheardResult): Meant {
  return ["tool_result", { tool, input, call: callId, message, isError, text: said }];
}

function shellOf(host: Host, record: CallRecord | null): Extract<HostEvent, { kind: "decide" }>["shell"] {
  const { tool_input: input } = host;
  const line: unknown = typeof input === "object" && input !== null ? Reflect.get(input, "command") : null;
  if (host.tool_name !== "Bash" || typeof line !== "string") return null;
  return { line, terminal: record === null ? null : record.args?.["tty"] === true };
}

function ending(host: Host): object {
  return { answer: host.last_assistant_message ?? "", stopHookActive: host.stop_hook_active === true };
}
