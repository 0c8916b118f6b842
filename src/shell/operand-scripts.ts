/**
 * Programs whose operands are a small language of their own: what a sed or awk script, an SQL statement, a GraphQL query
 * or a mode word says of the effect. Each reader errs to "unknown": only what is plainly a look is one.
 */
import type { Effect } from "./effect-kind.ts";
import { isLiteral } from "./shell-words.ts";

export type OperandScript =
  | "awk"
  | "dd"
  | "devices"
  | "gh-api"
  | "http"
  | "python"
  | "redis"
  | "rustfmt"
  | "sed"
  | "source"
  | "sql-operand"
  | "sql-option"
  | "sysctl"
  | "tar";

interface Words {
  readonly options: readonly { readonly name: string; readonly value: string | null }[];
  readonly operands: readonly string[];
}

/** The effect the operands speak for; null when they say nothing. */
export function operandScriptEffect(script: OperandScript, words: Words): Effect | null {
  return READERS[script](words);
}

const READERS: Readonly<Record<OperandScript, (words: Words) => Effect | null>> = {
  awk: (words) => awkEffect(words.operands[0] ?? ""),
  dd: ddEffect,
  devices: devicesEffect,
  "gh-api": graphqlEffect,
  http: httpEffect,
  python: pythonEffect,
  redis: (words) => (REDIS_READS.has((words.operands[0] ?? "").toLowerCase()) ? "reads" : null),
  // `cargo fmt -- --check`: what stands behind the dashes is rustfmt's.
  rustfmt: (words) => (words.operands.includes("--check") ? "reads" : null),
  sed: sedEffect,
  source: (words) => (SOURCED_READS.test(words.operands[0] ?? "") ? "reads" : null),
  "sql-operand": (words) => sqlEffect(words.operands.slice(1)),
  "sql-option": (words) => sqlEffect(valuesOf(words, SQL_OPTIONS)),
  sysctl: (words) => (words.operands.some((operand) => operand.includes("=")) ? "changes" : null),
  tar: tarEffect,
};

const SQL_OPTIONS = new Set(["-c", "--command", "-e", "--execute", "-q", "--query"]);
const REDIS_READS = new Set(
  "ping get mget exists keys scan ttl pttl type strlen info dbsize llen lrange hget hgetall hlen hkeys hmget scard smembers sismember zcard zrange zscore xlen xrange xinfo memory lastsave time".split(
    " ",
  ),
);
/** Files that only prepare the shell for what follows. */
const SOURCED_READS =
  /(^|\/)(bin\/activate(\.fish)?|\.cargo\/env|\.(bashrc|zshrc|profile|bash_profile|zprofile)|nvm\.sh|nvm\.fish)$|^\/etc\/profile$/;

function valuesOf(words: Words, names: ReadonlySet<string>): readonly string[] {
  return words.options.filter((option) => names.has(option.name)).map((option) => option.value ?? "");
}

/** A longer script is not read: its effect is unknown. */
const SCRIPT_LIMIT = 4096;

/** sed writes by the commands and flags `w` and `W`, and runs programs by `e`. */
function sedEffect(words: Words): Effect | null {
  const given = valuesOf(words, new Set(["-e", "--expression"]));
  const scripts = given.length > 0 ? given : words.operands.slice(0, 1);
  return scripts.some((script) => script.length > SCRIPT_LIMIT || SED_WRITES.some((form) => form.test(script)))
    ? "unknown"
    : null;
}

const SED_WRITES: readonly RegExp[] = [
  /(^|[;{}\n])\s*(\d+|\$|\/[^/\n]*\/)?(\s*,\s*(\d+|\$|\/[^/\n]*\/))?\s*!?\s*([wW]\s*[^\s;}]|e(\s|$))/,
  /s([^\\\n\w\s])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiIMm0-9]*[we]/,
];

/** awk writes by `print > file`, and runs programs by `system` and pipes. */
function awkEffect(script: string): Effect | null {
  if (script.length > SCRIPT_LIMIT) return "unknown";
  const code = script
    .replaceAll(/"\/dev\/std(err|out)"/g, "0")
    .replaceAll(/"(?:\\.|[^"\\])*"/g, '""')
    .replaceAll(/(^|[~(,!&|{;}\s])\/(?:\\.|[^/\\\n])*\//g, "$1")
    .replaceAll("||", "");
  if (/\bsystem\s*\(|\||@load/.test(code)) return "unknown";
  return /\bprintf?\b[^;{}\n()]*>(?!\s*0)/.test(code) || code.includes(">>") ? "changes" : null;
}

/** tar's first letters name its work, with or without a dash. */
function tarEffect(words: Words): Effect | null {
  const names = words.options.map((option) => option.name);
  const old = names.some((name) => /^-[tcxruA]$|^--(list|create|extract|get|append|update|diff|compare)/.test(name))
    ? ""
    : (words.operands[0] ?? "");
  const has = (letter: string, long: string): boolean =>
    names.includes(`-${letter}`) || names.includes(long) || (/^[a-zA-Z]+$/.test(old) && old.includes(letter));
  if (has("c", "--create") || has("r", "--append") || has("u", "--update") || names.includes("--delete"))
    return "changes";
  if (has("x", "--extract")) return has("O", "--to-stdout") ? "reads" : "changes";
  return has("t", "--list") || has("d", "--diff") || names.includes("--compare") ? "reads" : null;
}

/** Files written to that are only devices leave nothing behind. */
function devicesEffect(words: Words): Effect | null {
  return words.operands.every((operand) => /^\/dev\/(null|stdout|stderr|tty)$/.test(operand)) ? "reads" : null;
}

function ddEffect(words: Words): Effect | null {
  const out = words.operands.find((operand) => operand.startsWith("of="));
  return out === undefined || out === "of=/dev/null" || out === "of=/dev/stdout" ? "reads" : "changes";
}

/** A GraphQL query is sent as POST and still only reads, unless it says mutation. */
function graphqlEffect(words: Words): Effect | null {
  const fields = words.options.filter((option) => /^(-f|-F|--field|--raw-field)$/.test(option.name));
  const asked = words.options.some((option) => /^(-X|--method)$/.test(option.name) && option.value === "GET");
  if (fields.length === 0 || asked) return null;
  if (!/^\/?graphql$/.test(words.operands[0] ?? "")) return "changes";
  const query = fields.map((field) => field.value ?? "").find((value) => value.startsWith("query="));
  if (query === undefined || !isLiteral(query)) return "unknown";
  return /\bmutation\b/.test(query) ? "changes" : "reads";
}

/** httpie: a method word, else POST as soon as an item carries a body. */
function httpEffect(words: Words): Effect | null {
  const [first = "", ...rest] = words.operands;
  if (/^(GET|HEAD|OPTIONS)$/i.test(first)) return "reads";
  // A first word of letters alone is the method, in any case, where an address follows it.
  if (/^[A-Z]{3,}$/.test(first) || (/^[A-Za-z]+$/.test(first) && rest.length > 0)) return "changes";
  return rest.some((item) => /^[^=:]+(:?=|@)(?!=)/.test(item)) ? "changes" : null;
}

/** `python -m MODULE`: only modules known to print. `-c` and scripts may do anything. */
function pythonEffect(words: Words): Effect | null {
  const module = words.options.find((option) => option.name === "-m")?.value ?? null;
  if (module === null) return words.operands.length === 0 && onlyVersion(words) ? "reads" : null;
  if (module === "json.tool") return words.operands.length < 2 ? "reads" : "changes";
  if (module === "venv" || module === "virtualenv" || module === "compileall") return "changes";
  return ["platform", "site", "sysconfig", "tabnanny", "calendar", "mypy", "flake8", "pylint"].includes(module)
    ? "reads"
    : null;
}

function onlyVersion(words: Words): boolean {
  return words.options.length > 0 && words.options.every((option) => /^(-V+|--version|-h|--help)$/.test(option.name));
}

/** Statements that only look. A function called in a SELECT may change something: the well-known ones, and those named by a verb, are unknown. */
function sqlEffect(statements: readonly string[]): Effect | null {
  if (statements.length === 0) return null;
  const all = statements.flatMap((text) => text.replaceAll(/'(?:[^']|'')*'/g, "''").split(";"));
  return all.every((one) => one.trim() === "" || looksOnly(one.trim())) ? "reads" : null;
}

function looksOnly(statement: string): boolean {
  if (!isLiteral(statement) || SQL_CALLS.test(statement) || SQL_VERBS.test(statement)) return false;
  if (/^\\(d[a-zA-Z+]*|l\+?|conninfo|timing|x|echo)(\s|$)/.test(statement)) return true;
  if (
    /^\.(tables|schema|databases|indexes|indices|mode|headers?|dbinfo|fullschema|show|width|dump)(\s|$)/.test(statement)
  )
    return true;
  if (/^pragma\b/i.test(statement)) return !statement.includes("=") && !/\((?!\s*['"\w]+\s*\)$)/.test(statement);
  if (/^explain\b/i.test(statement)) return !/\banaly[sz]e\b/i.test(statement);
  return /^(select|show|describe|desc|values|table|with)\b/i.test(statement);
}

const SQL_CALLS =
  /\b(insert|update|delete|merge|into|nextval|setval|pg_terminate_backend|pg_cancel_backend|pg_reload_conf|pg_advisory\w*|pg_rotate_logfile|pg_switch_wal|dblink\w*|lo_\w+|set_config|pg_sleep|load_extension|writefile|load_file|sleep|get_lock)\s*(\(|\b)/i;

/** Functions of somebody's own or of an extension, such as `refresh_totals(`, `cron.schedule(` and `pg_stat_reset(`. */
const SQL_VERBS =
  /\b(?:add|alter|apply|attach|clear|create|drop|enqueue|execute|fix|grant|import|init|kill|migrate|move|notify|populate|process|publish|purge|rebuild|recompute|refresh|reindex|reload|remove|rename|reset|restore|revoke|run|schedule|seed|send|set|start|stop|sync|terminate|trigger|truncate|unlock|unschedule|upsert|write)(?:_\w+)?\s*\(|\bpg_\w*reset\w*\s*\(/i;
