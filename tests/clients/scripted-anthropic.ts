/**
 * A model that says what a test wrote down, over Anthropic's Messages stream on 127.0.0.1. Every request is kept, so that a test can read
 * what the harness told the model. Several agents talk to it at once: each has a lane, named by `[[name]]` in its first message.
 */
export interface ScriptedModel {
  readonly port: number;
  /** Requests for a turn of an agent, in the order they came. */
  readonly requests: readonly ModelRequest[];
  readonly stop: () => Promise<void>;
}

export interface ModelRequest {
  readonly lane: string;
  readonly messages: readonly ModelMessage[];
}

export interface ModelMessage {
  readonly role: string;
  /** All text of the message, a newline apart, without tool results. */
  readonly text: string;
  readonly results: readonly ToolResult[];
}

/** What the model was told that a call gave. */
export interface ToolResult {
  readonly call: string;
  readonly isError: boolean;
  readonly text: string;
}

export interface Turn {
  readonly text?: string;
  readonly tools?: readonly ToolUse[];
  /** Answer with this HTTP status instead. */
  readonly failing?: number;
}

interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the model says to a request. A request without tools (a title, a summary) is no turn and is not asked about. */
export type Script = (request: ModelRequest) => Turn | Promise<Turn>;

/** The lane of an agent whose first message names none. */
const mainLane = "main";

/** In each lane one turn after another; past the last it says so and ends. */
export function inLanes(lanes: Readonly<Record<string, readonly Turn[]>>): Script {
  const next = new Map<string, number>();
  return ({ lane }) => {
    const at = next.get(lane) ?? 0;
    next.set(lane, at + 1);
    return lanes[lane]?.[at] ?? { text: "the script is over" };
  };
}

export function inOrder(...turns: readonly Turn[]): Script {
  return inLanes({ [mainLane]: turns });
}

export function startModel(script: Script): ScriptedModel {
  const requests: ModelRequest[] = [];
  let answered = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (new URL(request.url).pathname !== "/v1/messages") return new Response("not here", { status: 404 });
      const body: unknown = await request.json();
      const number = answered++;
      const tools = field(body, "tools");
      if (!Array.isArray(tools) || tools.length === 0) return answer({ text: "a summary" }, number, body);
      const messages = messagesOf(body);
      const lane = /\[\[([\w-]+)\]\]/.exec(messages.find(({ role }) => role === "user")?.text ?? "")?.[1] ?? mainLane;
      requests.push({ lane, messages });
      return answer(await script({ lane, messages }), number, body);
    },
  });
  return { port: server.port ?? 0, requests, stop: () => server.stop(true) };
}

/** What the model was told of its calls, oldest first, as the newest request of a lane holds it. */
export function toldResults(model: ScriptedModel, lane = mainLane): readonly ToolResult[] {
  const newest = model.requests.findLast((request) => request.lane === lane);
  return newest?.messages.flatMap(({ results }) => results) ?? [];
}

function messagesOf(body: unknown): ModelMessage[] {
  const messages = field(body, "messages");
  if (!Array.isArray(messages)) return [];
  return messages.map((message) => {
    const content = field(message, "content");
    const blocks: unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
    const results = blocks.filter((block) => field(block, "type") === "tool_result");
    return {
      role: String(field(message, "role")),
      text: textOf(blocks),
      results: results.map((block) => ({
        call: String(field(block, "tool_use_id")),
        isError: field(block, "is_error") === true,
        text: textOf(field(block, "content")),
      })),
    };
  });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block) => (typeof field(block, "text") === "string" ? [String(field(block, "text"))] : []))
    .join("\n");
}

function answer(turn: Turn, number: number, body: unknown): Response {
  if (turn.failing !== undefined) return failure(turn.failing);
  const text = turn.text === undefined ? [] : [{ type: "text", text: turn.text }];
  const tools = (turn.tools ?? []).map(({ name, input }, index) => ({
    type: "tool_use",
    id: `toolu_${number}_${index}`,
    name,
    input,
  }));
  const content = [...text, ...tools];
  const usage = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id: `msg_${number}`, type: "message", role: "assistant", model: field(body, "model"), usage };
  const stop = { stop_reason: tools.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  if (field(body, "stream") !== true) return Response.json({ ...message, content, ...stop });
  const events: { readonly type: string }[] = [
    { type: "message_start", ...{ message: { ...message, content: [], stop_reason: null, stop_sequence: null } } },
    ...content.flatMap((block, index) => blockEvents(block, index)),
    { type: "message_delta", ...{ delta: stop, usage } },
    { type: "message_stop" },
  ];
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

function failure(status: number): Response {
  const error = { type: "overloaded_error", message: "no model today" };
  return Response.json({ type: "error", error }, { status, headers: { "x-should-retry": "false" } });
}

function blockEvents(block: object, index: number): { readonly type: string }[] {
  const text = field(block, "text");
  const [empty, delta] =
    text === undefined
      ? [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(field(block, "input")) },
        ]
      : [
          { ...block, text: "" },
          { type: "text_delta", text },
        ];
  return [
    { type: "content_block_start", ...{ index, content_block: empty } },
    { type: "content_block_delta", ...{ index, delta } },
    { type: "content_block_stop", ...{ index } },
  ];
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
