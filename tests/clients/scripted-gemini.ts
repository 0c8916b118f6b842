/**
 * A model that says what a test wrote down, over Gemini's own API on 127.0.0.1: what Gemini CLI talks to where GOOGLE_GEMINI_BASE_URL names
 * it. Every request for an answer is kept, so that a test can read what Gemini CLI told the model.
 */
export interface ScriptedModel {
  readonly port: number;
  /** Requests for an answer, in the order they came. */
  readonly requests: readonly ModelRequest[];
  readonly stop: () => Promise<void>;
}

export interface ModelRequest {
  /** What the model was told that its calls gave, oldest first. */
  readonly outputs: readonly string[];
  /** The prompts, a newline apart. */
  readonly text: string;
}

/** One answer: words, or calls. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
}

/** What the model says to a request; `number` counts from 0. */
export type Script = (request: ModelRequest, number: number) => Turn | Promise<Turn>;

/** One turn after another; past the last it says so and ends. */
export function inOrder(...turns: readonly Turn[]): Script {
  return (_request, number) => turns[number] ?? { text: "the script is over" };
}

/** A shell call as Gemini makes it. */
export function shell(command: string, description = "as the test says"): Turn {
  return { calls: [{ name: "run_shell_command", args: { command, description } }] };
}

export function startModel(script: Script): ScriptedModel {
  const requests: ModelRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (!pathname.endsWith(":streamGenerateContent")) return Response.json({ totalTokens: 1 });
      const read = readRequest(await request.json());
      const number = requests.push(read) - 1;
      return streamed(await script(read, number));
    },
  });
  return { port: server.port ?? 0, requests, stop: () => server.stop(true) };
}

/** What the model was told of its calls, oldest first, as the newest request holds it. */
export function toldOutputs(model: ScriptedModel): readonly string[] {
  return model.requests.at(-1)?.outputs ?? [];
}

function readRequest(body: unknown): ModelRequest {
  const parts = listOf(field(body, "contents")).flatMap((content) => listOf(field(content, "parts")));
  const answers = parts.map((part) => field(field(part, "functionResponse"), "response"));
  return {
    outputs: answers
      .filter((answer) => answer !== undefined)
      .map((answer) => String(field(answer, "output") ?? field(answer, "error") ?? JSON.stringify(answer))),
    text: parts
      .flatMap((part) => (typeof field(part, "text") === "string" ? [String(field(part, "text"))] : []))
      .join("\n"),
  };
}

function streamed(turn: Turn): Response {
  const parts = [
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...(turn.calls ?? []).map(({ name, args }) => ({ functionCall: { name, args } })),
  ];
  const answer = {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: "gemini-2.5-pro",
  };
  return new Response(`data: ${JSON.stringify(answer)}\r\n\r\n`, { headers: { "content-type": "text/event-stream" } });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
