import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adapter } from "../../src/harness/omp/extension/adapter.ts";
import type { Context, Host } from "../../src/harness/omp/extension/host.ts";

/**
 * A core that plays a part, for the adapter's own tests. What it does with a call stands in the call itself: `{"play": "pass" | "refuse" |
 * "silent" | "die" | "garbage" | "odd"}`; every line it gets is written to a file.
 */
export interface PlayedCore {
  readonly binary: string;
  /** Puts the program in its place, with shell assignments before it; so it also comes back where a test took it away. */
  readonly place: (assignments?: string) => void;
  readonly seen: () => Record<string, unknown>[];
  readonly events: (name: string) => Record<string, unknown>[];
  readonly payloads: (name: string) => Record<string, unknown>[];
  readonly remove: () => void;
}

export function playCore(): PlayedCore {
  const folder = mkdtempSync(join(tmpdir(), "tama-adapter-"));
  const [binary, program, record] = [join(folder, "tama"), join(folder, "core.ts"), join(folder, "seen")];
  const place = (assignments = ""): void => {
    writeFileSync(binary, `#!/bin/sh\nSEEN='${record}' ${assignments} exec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(binary, 0o755);
  };
  writeFileSync(program, fakeCore);
  place();
  const seen = (): Record<string, unknown>[] => {
    if (!existsSync(record)) return [];
    const lines = readFileSync(record, "utf8").split("\n");
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  };
  const events = (name: string) => seen().filter((line) => line["event"] === name);
  const payloads = (name: string) => events(name).map((line) => line["payload"] as Record<string, unknown>);
  return { binary, place, seen, events, payloads, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const fakeCore = `
import { appendFileSync } from "node:fs";
process.stdout.write(JSON.stringify({ op: "ready", protocol: Number(process.env.PROTOCOL ?? 1), release: "0", catalog: "c" }) + "\\n");
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    appendFileSync(process.env.SEEN, line + "\\n");
    const { id, op, event, payload, operation } = JSON.parse(line);
    const say = (answer) => { const text = JSON.stringify({ id, ...answer }) + "\\n"; process.stdout.write(text.slice(0, 5)); process.stdout.write(text.slice(5)); };
    if (op === "cancel") { say({ ok: true, dispatchId: "x", owned: true }); continue; }
    if (op === "request") {
      const declared = [{ on: [{ event: "before_provider" }] }];
      say({ ok: true, answer: operation === "hooks/declared" ? { catalog: "c", declared } : { hooks: [{ hook: "slow-one", dispatch: "e1" }] } });
      continue;
    }
    const play = payload?.input?.play ?? payload?.answer ?? (event === "before_provider" || event === "compact" ? process.env.PLAY : undefined) ?? "pass";
    if (play === "slow refuse") setTimeout(() => say({ ok: true, verdict: "refuse", blockedHookId: "h", refusal: "r-2", reason: "no, late", hooks: [] }), 600);
    else if (play === "silent") process.stdout.write(JSON.stringify({ op: "progress", dispatchId: id, hook: "slow-one", line: "waiting" }) + "\\n");
    else if (play === "die") { process.stderr.write("about to die\\n"); process.kill(process.pid, "SIGKILL"); }
    else if (play === "garbage") process.stdout.write("{no json\\n");
    else if (play === "odd") say({ ok: true, verdict: "perhaps" });
    else if (play === "refuse") say({ ok: true, verdict: "refuse", blockedHookId: "h", refusal: "r-1", reason: "no\\u2028never", hooks: [] });
    else if (play === "remember") say({ ok: true, verdict: "pass", hooks: [], context: "remember this" });
    else say({ ok: true, verdict: "pass", hooks: [], ...(payload?.text === "with context" ? { context: "know this" } : {}) });
  }
});
process.stdin.on("end", () => { try { appendFileSync(process.env.SEEN, JSON.stringify({ op: "eof" }) + "\\n"); } catch {} });
`;

/** Gives an event to every handler as OMP does, one after another, until one answers. */
export type Fire = (name: string, event?: object, context?: Context) => Promise<unknown>;

/** What the adapter sent into the session, and wrote into its transcript. */
export interface Sent {
  readonly messages: Record<string, unknown>[];
  readonly entries: Record<string, unknown>[];
}

/** OMP with one session or subagent of its own that loaded the adapter, `copies` times. */
export function copyOf(adapter: Adapter, given: { tools?: string[]; copies?: number; sent?: Sent } = {}): Fire {
  const handlers: [string, (event: unknown, context: Context) => unknown][] = [];
  const host: Host = {
    on: (name, handler) => void handlers.push([name, handler]),
    getActiveTools: () => given.tools ?? [],
    sendMessage: (message, options) => void given.sent?.messages.push({ ...message, ...options }),
    appendEntry: (customType, data) => void given.sent?.entries.push({ customType, ...data }),
  };
  for (let copy = 0; copy < (given.copies ?? 1); copy += 1) adapter.attach(host);
  return async (name, event = {}, context = inMode("print")) => {
    const shared = { type: name, ...event };
    for (const [on, handler] of handlers) {
      const answer = on === name ? await handler(shared, context) : undefined;
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}

/** What a pretended window was made to show. */
export interface Shown {
  readonly status: (string | undefined)[];
  interrupt: (() => void) | null;
  closed: number;
}

export function inMode(
  mode: string,
  more: { id?: string; file?: string; parent?: string; shown?: Shown; api?: string; aborts?: (() => void) | null } = {},
): Context {
  return {
    mode,
    model: { api: more.api ?? "openai-completions" },
    isIdle: () => true,
    abort: () => more.aborts?.(),
    cwd: "/srv/place",
    ui: {
      setStatus: (_key, text) => void more.shown?.status.push(text),
      notify: () => {},
      custom: (factory) =>
        new Promise((resolve, reject) => {
          const done = (value: unknown): void => {
            if (more.shown) more.shown.closed += 1;
            resolve(value);
          };
          if (more.shown) more.shown.interrupt = () => reject("Interrupted by user");
          factory(null, null, null, done);
        }),
    },
    sessionManager: {
      getSessionId: () => more.id ?? "s1",
      getSessionFile: () => more.file,
      getHeader: () => (more.parent === undefined ? {} : { parentSession: more.parent }),
    },
  };
}
