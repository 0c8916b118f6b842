import * as v from "valibot";
import { sayOnStderr } from "../../base/descriptors.ts";
import { findFromEnd } from "../../transcript/find-from-end.ts";
import { cancelledCalls, isRefusedEnding } from "../../transcript/gemini.ts";
import { type EventName, type HookEvent, parseEvent } from "../../words/event.ts";
import type { HeardEvent } from "../answer-one-event.ts";
import { readHostInput, unfit } from "../host-input.ts";
import { toolAnswer } from "./tool-answer.ts";

const text = v.nullish(v.string());
const any = v.optional(v.unknown());

/** The fields Tama reads (Gemini CLI 0.61.0); all others are left alone. */
const hostSchema = v.looseObject({
  hook_event_name: v.pipe(v.string(), v.nonEmpty()),
  session_id: text,
  transcript_path: text,
  cwd: text,
  prompt: any,
  prompt_response: text,
  stop_hook_active: v.nullish(v.boolean()),
  tool_name: any,
  tool_input: any,
  tool_response: any,
});
type Host = v.InferOutput<typeof hostSchema>;
type Meant = readonly [EventName, object];

/** Reads what Gemini wrote on stdin. Never throws: input that does not fit is told with its place. */
export function readHostEvent(stdin: string): HeardEvent {
  const input = readHostInput(stdin, "Gemini CLI", hostSchema);
  if (input.kind === "unfit") return input;
  const { host } = input;
  const name = host.hook_event_name;
  if (letGo.has(name)) return { kind: "let-go", host: name };
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  if (meaning === undefined) return unfit(host, `Tama does not know the event ${JSON.stringify(name)}`);
  if (host.session_id == null || host.session_id === "") return unfit(host, "stdin.session_id: missing");
  const events: HookEvent[] = [];
  for (const [event, own] of [...unheard(host), ...meaning(host)]) {
    const taken = parseEvent(event, { ...common(host), ...own });
    if (typeof taken === "string") return unfit(host, taken);
    events.push(taken);
  }
  return events.length === 0 ? { kind: "let-go", host: name } : { kind: "decide", host: name, events };
}

/** Events that need no answer of Tama's and that installing registers nowhere; a person's settings may send them all the same. */
const letGo: ReadonlySet<string> = new Set([
  "Notification",
  "PreCompress",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
]);

/** Gemini's events in the contract's terms (contract 2). No event at all = let go. */
const meanings: Readonly<Record<string, (host: Host) => readonly Meant[]>> = {
  SessionStart: () => [["session_start", {}]],
  SessionEnd: () => [["session_end", {}]],
  BeforeAgent: ({ prompt }) =>
    typeof prompt === "string" && isRefusedEnding(prompt) ? [] : [["input", { text: prompt }]],
  BeforeTool: (host) => [["tool_call", call(host)]],
  AfterTool: (host) => [["tool_result", { ...call(host), ...toolAnswer(host.tool_name, host.tool_response) }]],
  AfterAgent: (host) => [["stop", ending(host)]],
};

function common({ session_id, cwd, transcript_path }: Host): object {
  return { session: session_id, agent: "main", cwd, transcript: transcript_path ?? null };
}

/**
 * Of a call that the person did not allow in the dialog no hook is told (measured). It stands in the transcript, and is settled before
 * whatever comes next; told again it changes nothing.
 */
function unheard({ hook_event_name: name, transcript_path: path }: Host): readonly Meant[] {
  if (path == null || path === "" || (name !== "BeforeTool" && name !== "BeforeAgent")) return [];
  const found = findFromEnd(path, '"toolCalls"', (record) => record);
  if (!found.ok) sayOnStderr(`tama: ${found.cause}`);
  if (!found.ok || found.value === null) return [];
  const id: unknown = typeof found.value === "object" ? Reflect.get(found.value, "id") : null;
  return cancelledCalls(found.value).map(({ tool, input, said }) => [
    "tool_result",
    { tool, input, isError: true, text: said, ...(typeof id === "string" ? { message: id } : {}) },
  ]);
}

/** Gemini gives a call no id; its message is the newest of the model's in the transcript, which is written before the hook is asked. */
function call(host: Host): object {
  const { tool_input: input } = host;
  const described: unknown = typeof input === "object" && input !== null ? Reflect.get(input, "description") : null;
  return {
    tool: host.tool_name,
    ...("tool_input" in host ? { input } : {}),
    message: message(host),
    ...(host.tool_name === "run_shell_command" && typeof described === "string" && described !== ""
      ? { purpose: described }
      : { purposeUnknown: true }),
  };
}

/**
 * `prompt_response` is everything the model said since the prompt, one after another, also what was refused before (measured). What it ends
 * with is the newest message of the transcript.
 */
function ending(host: Host): object {
  const whole = host.prompt_response ?? "";
  const last = newestMessage(host);
  const answer = last !== null && last.text !== "" && whole.endsWith(last.text) ? last.text : whole;
  return { answer, message: last?.id ?? null, stopHookActive: host.stop_hook_active === true };
}

function message(host: Host): string | null {
  return newestMessage(host)?.id ?? null;
}

function newestMessage({ transcript_path: path }: Host): { readonly id: string; readonly text: string } | null {
  if (path == null || path === "") return null;
  const found = findFromEnd(path, '"type":"gemini"', (record) => {
    const [id, content] = ["id", "content"].map((name): unknown =>
      typeof record === "object" && record !== null ? Reflect.get(record, name) : null,
    );
    return typeof id === "string" ? { id, text: typeof content === "string" ? content : "" } : null;
  });
  if (!found.ok) sayOnStderr(`tama: ${found.cause}`);
  return found.ok ? found.value : null;
}
