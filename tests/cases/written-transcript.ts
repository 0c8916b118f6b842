import { refusedEndingMark } from "../../src/transcript/gemini.ts";

/**
 * Writes what happened in a session as each harness would have written it, so that one story can be told to every reader. Tools are named
 * as OMP names them and turned into the harness's own.
 */
export type Happening =
  | { readonly person: string }
  /** A person's own `!command`. */
  | { readonly personRan: string }
  | { readonly call: WrittenCall; readonly answer: WrittenAnswer | null }
  | { readonly batch: readonly { readonly call: WrittenCall; readonly answer: WrittenAnswer | null }[] }
  | { readonly says: string }
  | { readonly compact: string }
  | { readonly refusedStop: string }
  | { readonly notice: string }
  /** A file that somebody else changed, by its path. */
  | { readonly edited: string };

export interface WrittenCall {
  readonly tool: string;
  readonly input: unknown;
}

export interface WrittenAnswer {
  readonly isError: boolean;
  readonly text: string;
}

export type WrittenHarness = "omp" | "claude-code" | "codex" | "pi" | "gemini";
export const writtenHarnesses: readonly WrittenHarness[] = ["omp", "claude-code", "codex"];
export const everyWrittenHarness: readonly WrittenHarness[] = [...writtenHarnesses, "pi", "gemini"];

/** What a harness's own form does not tell: steps of a kind it never writes, and edits whose failure its words do not say. */
const untold: Readonly<Record<WrittenHarness, RegExp | null>> = {
  omp: /"edited"/,
  "claude-code": null,
  codex: /"edit"|"notice"|"edited"/,
  pi: /"notice"|"edited"/,
  gemini: /"notice"|"edited"|"compact"|"personRan"|"batch"|Validation failed/,
};

/** Whether a harness's transcript can tell this story. */
export function canTell(harness: WrittenHarness, story: readonly Happening[]): boolean {
  return untold[harness]?.test(JSON.stringify(story)) !== true;
}

export function writtenTranscript(harness: WrittenHarness, story: readonly Happening[], cwd = "/srv/app"): string {
  const writer = writers[harness](cwd);
  const records = [...writer.head, ...story.flatMap((step, at) => writer.step(step, `m${at}`))];
  return records.map((record, at) => `${JSON.stringify({ ...record, timestamp: timeOf(at) })}\n`).join("");
}

/** The harness's own name and arguments of a call, as its hooks report them. */
export function asHarnessCalls(harness: WrittenHarness, call: WrittenCall): WrittenCall {
  if (harness === "omp" || harness === "pi") return call;
  const names = { codex: codexNames, gemini: geminiNames, "claude-code": claudeNames }[harness];
  const named = harness === "claude-code" || harness === "gemini";
  const input = call.tool === "read" && named ? { file_path: pathOf(call.input) } : call.input;
  return { tool: names[call.tool] ?? call.tool, input };
}

interface Writer {
  readonly head: readonly object[];
  readonly step: (step: Happening, message: string) => readonly object[];
}

const claudeNames: Readonly<Record<string, string>> = { bash: "Bash", read: "Read", write: "Write", edit: "Edit" };
const geminiNames: Readonly<Record<string, string>> = {
  bash: "run_shell_command",
  read: "read_file",
  write: "write_file",
  edit: "replace",
};
const codexNames: Readonly<Record<string, string>> = { bash: "Bash", write: "apply_patch", edit: "apply_patch" };

function timeOf(at: number): string {
  return `2026-11-30T10:${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}.000Z`;
}

function pathOf(input: unknown): unknown {
  return typeof input === "object" && input !== null && "path" in input ? input.path : undefined;
}

function callsOf(step: Happening): readonly { readonly call: WrittenCall; readonly answer: WrittenAnswer | null }[] {
  if ("batch" in step) return step.batch;
  return "call" in step ? [step] : [];
}

function ompWriter(cwd: string, purposes: boolean): Writer {
  const entry = (id: string, message: object): object => ({ type: "message", id, parentId: null, message });
  const custom = (customType: string, content: string): object => ({ type: "custom_message", customType, content });
  return {
    head: [
      { type: "title", v: 1, title: "", pad: " ".repeat(40) },
      { type: "session", version: 3, id: "s", cwd },
    ],
    step: (step, id) => {
      if ("person" in step) return [entry(id, ompUser(step.person))];
      if ("personRan" in step) return [entry(id, { role: "bashExecution", command: step.personRan, output: "" })];
      if ("compact" in step) return [{ type: "compaction", id, summary: step.compact }];
      if ("refusedStop" in step) return [custom("session-stop-continuation", step.refusedStop)];
      if ("notice" in step) return [custom("async-result", step.notice)];
      if ("says" in step) return [entry(id, ompAnswer([{ type: "text", text: step.says }], "stop"))];
      const calls = callsOf(step);
      const blocks = calls.map(({ call }, at) => ({
        type: "toolCall",
        id: `${id}-${at}`,
        name: call.tool,
        arguments: { ...Object(call.input), ...(purposes ? { i: `Purpose ${id}` } : {}) },
      }));
      const results = calls.flatMap(({ call, answer }, at) =>
        answer === null ? [] : [entry(`${id}r${at}`, ompResult(`${id}-${at}`, call.tool, answer))],
      );
      return [entry(id, ompAnswer(blocks, "toolUse")), ...results];
    },
  };
}

const writers: Readonly<Record<WrittenHarness, (cwd: string) => Writer>> = {
  omp: (cwd) => ompWriter(cwd, true),
  // pi's form is OMP's, which comes from it: no title, no purposes, no word on whose a message is, and no stop of its own.
  pi: (cwd) => {
    const writer = ompWriter(cwd, false);
    const asPi = (record: object): object => JSON.parse(JSON.stringify(record).replace(',"attribution":"user"', ""));
    return {
      head: writer.head.slice(1),
      step: (step, id) =>
        "refusedStop" in step
          ? [{ type: "custom_message", customType: "tama-ending", content: step.refusedStop }]
          : writer.step(step, id).map(asPi),
    };
  },
  "claude-code": (cwd) => {
    const row = (type: string, uuid: string, more: object): object => ({ sessionId: "s", cwd, type, uuid, ...more });
    const user = (uuid: string, content: unknown, more: object): object =>
      row("user", uuid, { message: { role: "user", content }, ...more });
    return {
      head: [],
      step: (step, id) => {
        if ("person" in step) return [user(id, step.person, { promptSource: "sdk" })];
        if ("personRan" in step)
          return [user(id, `<bash-input>${step.personRan}</bash-input>`, { origin: { kind: "human" } })];
        if ("compact" in step)
          return [
            row("system", id, { subtype: "compact_boundary" }),
            user(`${id}s`, step.compact, { isCompactSummary: true }),
          ];
        if ("refusedStop" in step)
          return [user(id, `Stop hook feedback:\n${step.refusedStop}`, { isMeta: true, rowSource: "hook" })];
        if ("edited" in step)
          return [row("attachment", id, { attachment: { type: "edited_text_file", filename: step.edited } })];
        if ("notice" in step)
          return [user(id, `<task-notification>${step.notice}`, { origin: { kind: "task-notification" } })];
        if ("says" in step) return [row("assistant", id, claudeAnswer(id, { type: "text", text: step.says }))];
        const calls = callsOf(step);
        const uses = calls.map(({ call }, at) => {
          const { tool, input } = asHarnessCalls("claude-code", call);
          const use = { type: "tool_use", id: `${id}-${at}`, name: tool, input: { ...Object(input) } };
          return row("assistant", `${id}u${at}`, claudeAnswer(id, use));
        });
        const results = calls.flatMap(({ answer }, at) =>
          answer === null ? [] : [user(`${id}r${at}`, [claudeResult(`${id}-${at}`, answer)], {})],
        );
        return [...uses, ...results];
      },
    };
  },
  codex: (cwd) => {
    const item = (payload: object): object => ({ type: "response_item", payload });
    const message = (role: string, text: string): object =>
      item({ type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] });
    const person = (text: string): readonly object[] => [
      message("user", text),
      { type: "event_msg", payload: { type: "item_completed", item: codexPerson(text) } },
    ];
    return {
      head: [{ type: "session_meta", payload: { id: "s", cwd } }],
      step: (step, id) => {
        if ("person" in step) return person(step.person);
        if ("personRan" in step) return person(`!${step.personRan}`);
        if ("compact" in step) return [{ type: "compacted", payload: { message: step.compact } }];
        if ("refusedStop" in step)
          return [message("user", `<hook_prompt hook_run_id="stop:1">${step.refusedStop}</hook_prompt>`)];
        if ("notice" in step) return [message("user", step.notice)];
        if ("says" in step) return [message("assistant", step.says)];
        const calls = callsOf(step);
        const uses = calls.map(({ call }, at) => item(codexCall(`${id}-${at}`, call)));
        const results = calls.flatMap(({ answer }, at) =>
          answer === null ? [] : [item(codexResult(`${id}-${at}`, answer))],
        );
        return [...uses, ...results];
      },
    };
  },
  gemini: () => {
    const user = (id: string, content: readonly object[]): object => ({ id, type: "user", content });
    return {
      head: [{ sessionId: "s", projectHash: "h", kind: "main" }],
      step: (step, id) => {
        if ("person" in step) return [user(id, [{ text: step.person }])];
        if ("refusedStop" in step) return [user(id, [{ text: `${refusedEndingMark}${step.refusedStop}` }])];
        if ("says" in step) return [{ id, type: "gemini", content: step.says }];
        const calls = callsOf(step);
        const toolCalls = calls.map(({ call }, at) => geminiCall(`${id}-${at}`, call));
        const results = calls.flatMap(({ call, answer }, at) =>
          answer === null ? [] : [{ functionResponse: geminiResult(`${id}-${at}`, call, answer) }],
        );
        const answered = results.length === 0 ? [] : [user(`${id}r`, results)];
        return calls.length === 0 ? [] : [{ id, type: "gemini", content: "", toolCalls }, ...answered];
      },
    };
  },
};

function geminiCall(id: string, call: WrittenCall): object {
  const { tool, input } = asHarnessCalls("gemini", call);
  return { id, name: tool, args: { ...Object(input) }, status: "success" };
}

/** A shell command that failed is an answer too, its exit code behind its output; a refused call is an error. */
function geminiResult(id: string, { tool }: WrittenCall, { text, isError }: WrittenAnswer): object {
  const name = geminiNames[tool] ?? tool;
  const exitCode = exitCodeIn(text);
  const refused = text.startsWith("BLOCKED: ");
  if (exitCode === null && isError)
    return { id, name, response: { error: refused ? `Tool execution blocked: ${text}` : text } };
  const output = exitCode === null ? text : `Output: ${text.replace(exited, "")}\nExit Code: ${exitCode}`;
  return { id, name, response: { output: `<untrusted_context>\n${output}\n</untrusted_context>` } };
}

function ompUser(text: string): object {
  return { role: "user", content: [{ type: "text", text }], attribution: "user" };
}

function ompAnswer(content: readonly object[], stopReason: string): object {
  return { role: "assistant", content, stopReason };
}

function ompResult(toolCallId: string, toolName: string, answer: WrittenAnswer): object {
  const { text, isError } = answer;
  const exitCode = exitCodeIn(text);
  const details = exitCode === null ? {} : { exitCode };
  return { role: "toolResult", toolCallId, toolName, content: [{ type: "text", text }], details, isError };
}

const exited = /\s*Command exited with code (\d+)$/;

/** OMP ends a failed command's answer in these words; each harness has its own. */
function exitCodeIn(text: string): number | null {
  const code = exited.exec(text)?.[1];
  return code === undefined ? null : Number(code);
}

function claudeAnswer(id: string, block: object): object {
  return { message: { id: `msg-${id}`, role: "assistant", content: [block] } };
}

function claudeResult(id: string, { text, isError }: WrittenAnswer): object {
  const exitCode = exitCodeIn(text);
  const content = exitCode === null ? text : `Exit code ${exitCode}\n${text.replace(exited, "")}`;
  return { type: "tool_result", tool_use_id: id, content, is_error: isError };
}

function codexPerson(text: string): object {
  return { type: "UserMessage", id: "u", content: [{ type: "text", text }] };
}

function codexCall(call_id: string, call: WrittenCall): object {
  if (call.tool !== "bash")
    return {
      type: "function_call",
      call_id,
      name: asHarnessCalls("codex", call).tool,
      arguments: JSON.stringify(call.input),
    };
  const { command, ...others } = Object(call.input);
  const args = JSON.stringify({ cmd: command, yield_time_ms: 1000, ...others });
  return { type: "function_call", call_id, name: "exec_command", arguments: args };
}

function codexResult(call_id: string, { text, isError }: WrittenAnswer): object {
  const refused = text.startsWith("BLOCKED: ") || text.startsWith("Validation failed");
  const output = refused ? text : `Process exited with code ${isError ? 1 : 0}\nOutput:\n${text}`;
  return { type: "function_call_output", call_id, output };
}
