/**
 * A model that says what a test wrote down, over OpenAI's chat-completions stream on 127.0.0.1. Every request is kept, so that a test can
 * read what the harness told the model.
 */
export interface ScriptedModel {
  readonly port: number;
  /** Requests for a turn of an agent, in the order they came. */
  readonly requests: readonly ModelRequest[];
  readonly stop: () => Promise<void>;
}

export interface ModelRequest {
  /** What the request says of its tools: "required" where the model must use one; null where it says nothing. */
  readonly toolChoice: unknown;
  readonly messages: readonly ModelMessage[];
}

export interface ModelMessage {
  readonly role: string;
  /** All text parts of the message, a newline apart. */
  readonly text: string;
  /** Of a tool's answer: the call it answers. */
  readonly call: string | null;
}

export interface Turn {
  readonly text?: string;
  /** Text that is streamed piece by piece, each after what stands before it in the list has happened. */
  readonly pieces?: readonly (string | Promise<void>)[];
  readonly tools?: readonly ToolUse[];
  /** How many tokens the request had, as the model tells the harness; absent = 100. A number near the window makes it compact. */
  readonly promptTokens?: number;
}

interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

/** What the model says to a request. A request without tools (a title, a summary) is no turn and is not asked about. */
export type Script = (request: ModelRequest) => Turn | Promise<Turn>;

/** One turn after another, whoever asks; past the last it says so and ends. */
export function inOrder(...turns: readonly Turn[]): Script {
  let next = 0;
  return () => turns[next++] ?? { text: "the script is over" };
}

export function startModel(script: Script): ScriptedModel {
  const requests: ModelRequest[] = [];
  let answered = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (path.endsWith("/models")) return Response.json({ data: [{ id: modelName, object: "model" }] });
      if (!path.endsWith("/chat/completions")) return new Response("not here", { status: 404 });
      const body: unknown = await request.json();
      const tools = field(body, "tools");
      if (!Array.isArray(tools) || tools.length === 0) return stream({ text: "a summary" }, answered++);
      const asked = { messages: messagesOf(body), toolChoice: field(body, "tool_choice") ?? null };
      requests.push(asked);
      const number = answered++;
      return stream(await script(asked), number);
    },
  });
  return { port: server.port ?? 0, requests, stop: () => server.stop(true) };
}

export const modelName = "m1";

/** What the model was told that a tool answered: the text of the newest tool message of a request. */
export function lastToolAnswer(request: ModelRequest | undefined): string {
  return request?.messages.findLast((message) => message.role === "tool")?.text ?? "";
}

function messagesOf(body: unknown): ModelMessage[] {
  const messages = field(body, "messages");
  if (!Array.isArray(messages)) return [];
  return messages.map((message) => ({
    role: String(field(message, "role")),
    text: textOf(field(message, "content")),
    call: typeof field(message, "tool_call_id") === "string" ? String(field(message, "tool_call_id")) : null,
  }));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part) => (typeof field(part, "text") === "string" ? [String(field(part, "text"))] : []))
    .join("\n");
}

function stream(turn: Turn, number: number): Response {
  const base = { id: `answer-${number}`, object: "chat.completion.chunk", created: 0, model: modelName };
  const tools = turn.tools ?? [];
  const saying = (delta: object, finish_reason: string | null = null): object => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async start(controller) {
      const send = (chunk: object): void => controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`));
      try {
        send(saying({ role: "assistant", content: turn.text ?? "" }));
        for (const piece of turn.pieces ?? []) {
          if (typeof piece === "string") send(saying({ content: piece }));
          else await piece;
        }
        for (const [index, tool] of tools.entries()) {
          const call = { name: tool.name, arguments: JSON.stringify(tool.args) };
          send(
            saying({
              tool_calls: [{ index, id: tool.id ?? `call_${number}_${index}`, type: "function", function: call }],
            }),
          );
        }
        send(saying({}, tools.length > 0 ? "tool_calls" : "stop"));
        const prompt_tokens = turn.promptTokens ?? 100;
        send({
          ...base,
          choices: [],
          usage: { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 },
        });
        controller.enqueue(encoder.encode("data: [DONE]\n\n"));
        controller.close();
      } catch {
        // The reader went away: an answer that was cut.
      }
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
