/**
 * Claude Code's rows in the proportions that 1,170 published sessions have (26,999 calls counted): of 15 KB a call, 8 are the result's row,
 * which holds the answer twice; five progress rows stand to four calls, a thought to every second, a person's message to every eighth.
 * Half the result rows are below 2 KB, the tenth longest above 20. Every call differs, and nothing repeats what is known already.
 */
export function publishedCall(number: number): string {
  const rows = [];
  const id = `toolu_${number}`;
  if (number % 8 === 0) rows.push(person(number));
  if (number % 6 === 0)
    rows.push({
      ...common(number, "hook"),
      type: "attachment",
      attachment: { type: "file", content: text(number, 4000) },
    });
  if (number % 2 === 0)
    rows.push(
      answer(number, "thought", { type: "thinking", thinking: text(number, 1000), signature: "s".repeat(700) }),
    );
  const { name, input } = calls[number % calls.length]?.(number) ?? { name: "Read", input: {} };
  rows.push(answer(number, "call", { type: "tool_use", id, name, input }));
  for (let at = 0; at < (number % 4 === 0 ? 2 : 1); at++)
    rows.push({
      ...common(number, `progress${at}`),
      type: "progress",
      toolUseID: id,
      data: { type: "bash_progress", output: text(number, 1000) },
    });
  rows.push(result(number, id, name));
  if (number % 8 === 7) rows.push(answer(number, "words", { type: "text", text: text(number, 900) }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** About as many bytes of such calls as are wanted, a piece at a time. */
export function* publishedSession(bytes: number, from = 0): Generator<string> {
  let written = 0;
  for (let number = from; written < bytes; number++) {
    const piece = publishedCall(number);
    written += piece.length;
    yield piece;
  }
}

type Asked = (number: number) => { readonly name: string; readonly input: object };

const bash =
  (line: (number: number) => string): Asked =>
  (number) => ({
    name: "Bash",
    input: { command: line(number), description: `Step ${number}` },
  });
const read: Asked = (number) => ({ name: "Read", input: { file_path: `/srv/app/src/part-${number}.ts` } });
const edit: Asked = (number) => ({
  name: "Edit",
  input: {
    file_path: `/srv/app/src/part-${number}.ts`,
    old_string: text(number, 400),
    new_string: text(number + 1, 500),
  },
});

/** In their shares: three tenths shell lines, three tenths reads, a fifth edits and whole files, the rest searches and lists. */
const calls: readonly Asked[] = [
  bash((number) => `cd /srv/app && npm test -- --grep "part ${number}" 2>&1 | tail -40`),
  read,
  (number) => ({ name: "Grep", input: { pattern: `part${number}`, path: "/srv/app/src", output_mode: "content" } }),
  edit,
  read,
  bash((number) => `git add -A && git commit -m "part ${number}: $(date +%F)"`),
  read,
  edit,
  bash((number) => `for f in src/part-${number}*.ts; do grep -n "export" "$f" | head -5; done`),
  (number) => ({ name: "Write", input: { file_path: `/srv/app/docs/${number}.md`, content: text(number, 3000) } }),
  read,
  bash((number) => `ls -la src/ && sed -n '${number},+20p' src/part.ts | grep -v '^$'`),
  (number) => ({ name: "Glob", input: { pattern: `**/part-${number}*` } }),
  (number) => ({ name: "TodoWrite", input: { todos: [{ content: `part ${number}`, status: "in_progress" }] } }),
];

const answerChars = [200, 300, 500, 900, 1400, 2600, 6000, 15_000];

function result(number: number, id: string, name: string): object {
  const content = text(number, answerChars[number % answerChars.length] ?? 0);
  const used =
    name === "Bash" ? { stdout: content, stderr: "", interrupted: false } : { type: "text", file: { content } };
  const failed = name === "Bash" && number % 31 === 0;
  return {
    ...common(number, "result"),
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: failed }] },
    toolUseResult: failed
      ? `Error: ${content}`
      : { ...used, structuredPatch: [{ oldStart: 1, lines: content.split("\n").slice(0, 20) }] },
  };
}

function person(number: number): object {
  return {
    ...common(number, "person"),
    type: "user",
    promptSource: "typed",
    message: { role: "user", content: `Now part ${number}, please.` },
  };
}

function answer(number: number, what: string, block: object): object {
  const message = {
    id: `msg_${number}_${what}`,
    type: "message",
    role: "assistant",
    model: "a-model",
    content: [block],
    stop_reason: null,
  };
  const usage = {
    input_tokens: 4,
    cache_creation_input_tokens: 1200,
    cache_read_input_tokens: 90_000,
    output_tokens: 310,
  };
  return { ...common(number, what), type: "assistant", requestId: `req_${number}`, message: { ...message, usage } };
}

function common(number: number, what: string): object {
  return {
    parentUuid: `${number - 1}-result`,
    isSidechain: false,
    userType: "external",
    cwd: "/srv/app",
    sessionId: "0b0e5a3c-7f6e-4c52-9d0a-5a4f0f6c1d2e",
    version: "2.1.332",
    gitBranch: "main",
    uuid: `${number}-${what}`,
    timestamp: new Date(1_790_000_000_000 + number * 7000).toISOString(),
  };
}

/** Lines as programs print them: words, quotes, paths, now and then a letter outside ASCII. */
function text(number: number, chars: number): string {
  const line = `${number}: const part = open("src/part-${number}.ts"); // "found" – ${number % 97} of 97\n`;
  return line.repeat(Math.ceil(chars / line.length)).slice(0, chars);
}
