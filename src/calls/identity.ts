import { ownValue } from "../base/own-value.ts";
import { remembering } from "../base/remembering.ts";
import { canonicalJson as canonical } from "./canonical-json.ts";

/** The first 16 hexadecimal digits of a call's sha256; only `callIdentity` and `parseCallId` make one. */
export type CallId = string & { readonly __brand: "CallId" };

/** What a harness or model says beside a call and what is no part of it (contract 5). Tool names in lower case; `*` = any other. */
const COMMENTARY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Agent was called Task before; it is the same tool.
  "claude-code": { bash: ["description"], agent: ["description"], task: ["description"] },
  codex: forTools(
    "bash shell shell_command exec_command local_shell local_shell_call container.exec unified_exec write_stdin",
    ["justification", "yield_time_ms", "max_output_tokens"],
  ),
  gemini: { run_shell_command: ["description"] },
  omp: { "*": ["i"] },
};

/** RFC 8785 canonical JSON of any value, never throwing on depth. */
export function canonicalJson(value: unknown): string {
  return canonical(value);
}

/**
 * The identity of a call: the first 16 hexadecimal digits of sha256 over the canonical JSON of
 * `{tool, directory, arguments}`, arguments without commentary (contract 5). `directory` is the payload's cwd at
 * tool_call, null when it names none.
 */
export function callIdentity(harness: string, tool: string, directory: string | null, input: unknown): CallId {
  // The canonical form of the three, its keys in order; what is undefined is no key.
  const own = input === undefined ? "" : `"arguments":${argumentsText(harness, tool.toLowerCase(), input)},`;
  const text = `{${own}"directory":${directory === null ? "null" : quoted(directory)},"tool":${quoted(tool)}}`;
  return Bun.CryptoHasher.hash("sha256", text, "hex").slice(0, 16) as CallId;
}

/** A session has few tools and few folders. */
const quoted = remembering((word) => canonical(word), { texts: 64, chars: 8192 });

export function parseCallId(text: string): CallId | null {
  return /^[0-9a-f]{16}$/.test(text) ? (text as CallId) : null;
}

/** The repeat rule and the ledger name the same call in turn, each by its own name of the tool; this text is most of what a name costs. */
function argumentsText(harness: string, tool: string, input: unknown): string {
  if (typeof input !== "object" || input === null) return canonical(input);
  const before = argumentsTexts.get(input);
  if (before !== undefined && before.harness === harness && before.tool === tool) return before.text;
  const text = canonical(input, commentaryIn(harness, tool, input));
  argumentsTexts.set(input, { harness, tool, text });
  return text;
}

/** By the arguments themselves, which nobody changes once they are read. */
const argumentsTexts = new WeakMap<
  object,
  { readonly harness: string; readonly tool: string; readonly text: string }
>();

/** The arguments that are no part of the call. `tool` is its name in lower case. */
function commentaryIn(harness: string, tool: string, input: object): readonly string[] {
  if (Array.isArray(input)) return [];
  const name = harness.toLowerCase();
  const table = ownValue(COMMENTARY, name) ?? {};
  const names = ownValue(table, tool) ?? table["*"] ?? [];
  return name === "omp" && tool === "edit" && hasPatchText(input) ? [...names, ...DERIVED] : names;
}

/**
 * OMP adds `path` and `paths` to an edit whose one argument is a patch text, for gates to read. In its replace and patch
 * modes `path` is the model's own argument and says which file is meant, so there it counts.
 */
const DERIVED: readonly string[] = ["path", "paths"];

function hasPatchText(input: object): boolean {
  return ["input", "_input"].some((key) => typeof Reflect.get(input, key) === "string");
}

function forTools(names: string, dropped: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, dropped]));
}
