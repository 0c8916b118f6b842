import * as v from "valibot";
import { sayOnStderr } from "../../base/descriptors.ts";
import { messageOfCall } from "../../transcript/message-of-call.ts";
import { type EventName, type HookEvent, parseEvent } from "../../words/event.ts";
import { readHostInput, type Unfit, unfit } from "../host-input.ts";
import { shownResult } from "./shown-result.ts";

/** What one of Claude Code's events is to Tama. `host` is Claude Code's own name of it, null where not even that can be read. */
export type HostEvent =
  | { readonly kind: "decide"; readonly host: string; readonly events: readonly HookEvent[] }
  /** A permission dialog is about to be shown for a call. */
  | { readonly kind: "permission"; readonly host: string; readonly event: HookEvent & { readonly event: "tool_call" } }
  | { readonly kind: "settings"; readonly host: string; readonly change: SettingsChange }
  /** Nothing is decided; it is only kept. */
  | { readonly kind: "fact"; readonly host: string; readonly fact: Fact }
  /** It carries no decision of ours, so it goes on untouched. */
  | { readonly kind: "let-go"; readonly host: string }
  | Unfit;

export interface SettingsChange {
  readonly session: string;
  readonly cwd: string | null;
  readonly source: string;
  readonly path: string;
}

export interface Fact {
  readonly session: string;
  readonly agentId: string | null;
  /** Its name in the log. */
  readonly event: string;
  readonly says: string;
}

const text = v.nullish(v.string());
const flag = v.nullish(v.boolean());

/** The fields Tama reads (Claude Code 2.1.332); all others are left alone. */
const hostSchema = v.looseObject({
  hook_event_name: v.pipe(v.string(), v.nonEmpty()),
  session_id: text,
  transcript_path: text,
  cwd: text,
  agent_id: text,
  agent_type: text,
  agent_transcript_path: text,
  source: text,
  prompt: v.optional(v.unknown()),
  tool_name: v.optional(v.unknown()),
  tool_input: v.optional(v.unknown()),
  tool_use_id: text,
  tool_response: v.optional(v.unknown()),
  error: text,
  is_interrupt: flag,
  duration_ms: v.optional(v.unknown()),
  stop_hook_active: flag,
  last_assistant_message: text,
  file_path: text,
  trigger: text,
});
type Host = v.InferOutput<typeof hostSchema>;
type Meaning = readonly (readonly [EventName, object])[];

/** Reads what Claude Code wrote on stdin. Never throws: input that does not fit is told with its place. */
export function readHostEvent(stdin: string): HostEvent {
  const input = readHostInput(stdin, "Claude Code", hostSchema);
  if (input.kind === "unfit") return input;
  const { host } = input;
  const name = host.hook_event_name;
  if (letGo.has(name)) return { kind: "let-go", host: name };
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  const apart = Object.hasOwn(apartFrom, name) ? apartFrom[name] : undefined;
  if (meaning === undefined && apart === undefined)
    return unfit(host, `Tama does not know the event ${JSON.stringify(name)}`);
  if (host.session_id == null || host.session_id === "") return unfit(host, "stdin.session_id: missing");
  return apart?.(host, host.session_id) ?? dispatched(host, meaning?.(host) ?? []);
}

function dispatched(host: Host, meaning: Meaning): HostEvent {
  const events: HookEvent[] = [];
  for (const [event, own] of meaning) {
    const taken = parseEvent(event, { ...common(host), ...own });
    if (typeof taken === "string") return unfit(host, taken);
    events.push(taken);
  }
  const name = host.hook_event_name;
  return events.length === 0 ? { kind: "let-go", host: name } : { kind: "decide", host: name, events };
}

/**
 * Events that need no answer of Tama's: a dialog's outcome is the person's, and compaction is heard of at its SessionStart, which alone can
 * hand the model a context afterwards. An event in no table is refused, since it might be one that decides.
 */
const letGo: ReadonlySet<string> = new Set(["PermissionDenied", "PreCompact", "Notification"]);

/** Events that are no dispatch of the contract's. */
const apartFrom: Readonly<Record<string, (host: Host, session: string) => HostEvent>> = {
  PermissionRequest: (host) => {
    const call = dispatched(host, [["tool_call", toolOf(host)]]);
    const [event] = call.kind === "decide" ? call.events : [];
    return event?.event === "tool_call" ? { kind: "permission", host: host.hook_event_name, event } : call;
  },
  ConfigChange: (host, session) => {
    const { hook_event_name, file_path, source } = host;
    if (file_path == null || file_path === "") return unfit(host, "stdin.file_path: missing");
    const change = { session, cwd: host.cwd ?? null, source: source ?? "", path: file_path };
    return { kind: "settings", host: hook_event_name, change };
  },
  StopFailure: (host, session) =>
    factOf(host, session, "stop_failure", `the turn ended by ${host.error ?? "an error"}`),
  PostCompact: (host, session) => factOf(host, session, "post_compact", `compacted, ${host.trigger ?? "unknown"}`),
};

function factOf(host: Host, session: string, event: string, says: string): HostEvent {
  return { kind: "fact", host: host.hook_event_name, fact: { session, agentId: subagentOf(host), event, says } };
}

/** Claude Code's events in the contract's terms (contract 2). No event at all = let go. */
const meanings: Readonly<Record<string, (host: Host) => Meaning>> = {
  SessionStart: ({ source }) =>
    source === "compact"
      ? [
          ["session_start", {}],
          ["compact", {}],
        ]
      : [["session_start", {}]],
  SessionEnd: () => [["session_end", {}]],
  SubagentStart: (host) => (host.agent_type === "" ? [] : [["session_start", {}]]),
  UserPromptSubmit: ({ prompt }) => (isOfTheHarness(prompt) ? [] : [["input", { text: prompt }]]),
  PreToolUse: (host) => [["tool_call", { ...call(host), message: message(host) }]],
  PostToolUse: (host) => [
    [
      "tool_result",
      { ...call(host), isError: false, text: shownResult(host.tool_response), details: host.tool_response },
    ],
  ],
  PostToolUseFailure: (host) => [
    ["tool_result", { ...call(host), isError: true, text: host.error ?? "", details: failure(host) }],
  ],
  Stop: (host) => [["stop", ending(host)]],
  // The summarisers of a compaction end too; they have no type, do no work of the session's and must not be held.
  SubagentStop: (host) => (host.agent_type === "" ? [] : [["stop", { ...ending(host), agent: "sub" }]]),
};

/** A background task's end comes as a prompt of this form: the harness goes on, no person wrote. */
function isOfTheHarness(prompt: unknown): boolean {
  return typeof prompt === "string" && prompt.trimStart().startsWith("<task-notification>");
}

function common(host: Host): object {
  const agentId = subagentOf(host);
  return {
    session: host.session_id,
    ...(agentId === null ? { agent: "main" } : { agentId, agent: "sub" }),
    cwd: host.cwd,
    transcript: transcriptOf(host),
    host: outerFields(host),
  };
}

function subagentOf(host: Host): string | null {
  return host.agent_id == null || host.agent_id === "" ? null : host.agent_id;
}

/** A subagent's rows lie in a file of its own, beside the session's; the input names the session's (measured). */
function transcriptOf(host: Host): string | null {
  const agentId = subagentOf(host);
  const session = host.transcript_path ?? null;
  if (agentId === null || session === null) return session;
  if (host.agent_transcript_path != null && host.agent_transcript_path !== "") return host.agent_transcript_path;
  return session.endsWith(".jsonl")
    ? `${session.slice(0, -".jsonl".length)}/subagents/agent-${agentId}.jsonl`
    : session;
}

/** What Claude Code said beside the event itself (permission mode, source, agent type …), for hooks written for Claude Code. */
function outerFields(host: Host): object {
  const { tool_input, tool_response, prompt, error, last_assistant_message, ...outer } = host;
  return outer;
}

function call(host: Host): object {
  return { ...toolOf(host), call: host.tool_use_id };
}

function toolOf(host: Host): object {
  const { tool_input } = host;
  const described =
    typeof tool_input === "object" && tool_input !== null ? Reflect.get(tool_input, "description") : null;
  return {
    tool: host.tool_name,
    ...("tool_input" in host ? { input: tool_input } : {}),
    ...(typeof described === "string" ? { purpose: described } : {}),
  };
}

/** Only an aid to the repeat rule, so a transcript that cannot be read is said and goes for one without the row. */
function message(host: Host): string | null {
  const transcript = transcriptOf(host);
  if (transcript === null || host.tool_use_id == null) return null;
  const found = messageOfCall(transcript, host.tool_use_id);
  if (!found.ok) sayOnStderr(`tama: ${found.cause}`);
  return found.ok ? found.value : null;
}

/** What tells an interruption from a failure (src/calls/result-meaning.ts). */
function failure(host: Host): object {
  return {
    is_interrupt: host.is_interrupt === true,
    ...(host.duration_ms === undefined ? {} : { duration_ms: host.duration_ms }),
  };
}

function ending(host: Host): object {
  return { answer: host.last_assistant_message ?? "", stopHookActive: host.stop_hook_active === true };
}
