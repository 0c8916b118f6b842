/**
 * A model that says what a test wrote down, over OpenAI's Responses stream on 127.0.0.1: what Codex talks to. Every request is kept, so that
 * a test can read what Codex told the model. Subagents are told apart by Codex's own headers and have a script of their own.
 */
export interface ScriptedModel {
  readonly port: number;
  /** Requests of the main agent, in the order they came. */
  readonly requests: readonly ModelRequest[];
  readonly stop: () => Promise<void>;
}

export interface ModelRequest {
  /** What the model was told that its calls gave, oldest first. */
  readonly outputs: readonly CallOutput[];
  /** All other text of the request, a newline apart. */
  readonly text: string;
}

export interface CallOutput {
  readonly call: string;
  readonly text: string;
}

/** One answer: words, or calls. `custom` is a tool that takes plain text (apply_patch). */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
}

export type ScriptedCall =
  | { readonly name: string; readonly namespace?: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly custom: string; readonly input: string };

/** What the model says to a request; `number` counts the requests of that agent from 0. */
export type Script = (request: ModelRequest, number: number) => Turn | Promise<Turn>;

/** One turn after another; past the last it says so and ends. */
export function inOrder(...turns: readonly Turn[]): Script {
  return (_request, number) => turns[number] ?? { text: "the script is over" };
}

/** A shell call as Codex's model makes it. */
export function shell(cmd: string, more: Readonly<Record<string, unknown>> = {}): Turn {
  return { calls: [{ name: "exec_command", args: { cmd, ...more } }] };
}

export function startModel(script: Script, ofSubagents: Script = () => ({ text: "sub done" })): ScriptedModel {
  const requests: ModelRequest[] = [];
  const ofThreads = new Map<string, number>();
  let answered = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== "POST") return Response.json({ object: "list", data: [], models: [] });
      const body: unknown = await request.json();
      const read = readRequest(body);
      const [thread, session] = ["thread-id", "session-id"].map((name) => request.headers.get(name));
      const id = String(answered++);
      if (!offersShell(body)) return streamed({ text: "a title" }, id);
      const number = ofThreads.get(thread ?? "") ?? 0;
      ofThreads.set(thread ?? "", number + 1);
      if (thread !== session) return streamed(await ofSubagents(read, number), id);
      requests.push(read);
      return streamed(await script(read, number), id);
    },
  });
  return { port: server.port ?? 0, requests, stop: () => server.stop(true) };
}

/** Codex has a window's title written in a thread of its own, beside the session's and with next to no tools. */
function offersShell(body: unknown): boolean {
  const tools = field(body, "tools");
  return !Array.isArray(tools) || tools.some((tool: unknown) => field(tool, "name") === "exec_command");
}

/** What the model was told of its calls, oldest first, as the newest request holds it. */
export function toldOutputs(model: ScriptedModel): readonly string[] {
  return model.requests.at(-1)?.outputs.map(({ text }) => text) ?? [];
}

function readRequest(body: unknown): ModelRequest {
  const items = field(body, "input");
  const all: readonly unknown[] = Array.isArray(items) ? items : [];
  const isOutput = (item: unknown): boolean => String(field(item, "type")).endsWith("_call_output");
  return {
    outputs: all.filter(isOutput).map((item) => ({
      call: String(field(item, "call_id")),
      text: textOf(field(item, "output")),
    })),
    text: all
      .filter((item) => !isOutput(item))
      .map((item) => textOf(field(item, "content")))
      .join("\n"),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => textOf(field(part, "text"))).join("\n");
  return typeof content === "object" && content !== null ? textOf(field(content, "content")) : "";
}

function streamed(turn: Turn, id: string): Response {
  const items = [...(turn.text === undefined ? [] : [said(turn.text, id)]), ...(turn.calls ?? []).map(called(id))];
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  const response = { id: `resp_${id}`, object: "response" };
  const events: readonly object[] = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...items.flatMap((item, at) => [
      { type: "response.output_item.added", output_index: at, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: at, item },
    ]),
    { type: "response.completed", response: { ...response, status: "completed", output: items, usage } },
  ];
  const stream = events.map((event) => `event: ${field(event, "type")}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

function said(text: string, id: string): object {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", role: "assistant", id: `msg_${id}`, status: "completed", content };
}

function called(id: string): (call: ScriptedCall, at: number) => object {
  return (call, at) => {
    const names = { call_id: `call_${id}_${at}`, status: "completed" };
    if ("custom" in call)
      return { type: "custom_tool_call", id: `ct_${id}_${at}`, ...names, name: call.custom, input: call.input };
    const { name, namespace, args } = call;
    const named = namespace === undefined ? { name } : { name, namespace };
    return { type: "function_call", id: `fc_${id}_${at}`, ...names, ...named, arguments: JSON.stringify(args) };
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
