import { remembering } from "../base/remembering.ts";
import { type Effect, shellEffect } from "../shell/effect.ts";
import { type ToolKind, toolKind } from "./kind.ts";
import { shellLine } from "./shell-line.ts";

export interface EffectOf {
  readonly harness: string;
  readonly tool: string;
  readonly kind?: ToolKind;
  readonly input: unknown;
}

/**
 * What a call can do to the answers of later calls: a shell's by its line, a write or edit changes, a read or search
 * looks, the rest by the tables below; a tool no table names is `unknown`, subagents among them.
 */
export function callEffect(call: EffectOf): Effect {
  switch (call.kind ?? toolKind(call.harness, call.tool)) {
    case "shell":
      return shellCallEffect(call.input);
    case "write":
      return writesToDevice(call.input) ? "unknown" : "changes";
    case "read":
      return readsJobOutput(fieldOf(call.input, "file_path")) ? "waits" : "reads";
    case "search":
      return "reads";
    case "process":
      return processEffect(call);
    case "other":
      return otherEffect(call.tool);
  }
}

/** Shell arguments by which harnesses put a command in the background: Claude Code, OMP, Gemini. */
const BACKGROUND: readonly string[] = ["run_in_background", "async", "is_background"];

function shellCallEffect(input: unknown): Effect {
  const line = shellLine(input);
  if (line === null) return "unknown";
  const effect = lineEffect(line);
  const behind = BACKGROUND.some((name) => fieldOf(input, name) === true);
  // As with `&`: what goes on behind the call may change anything at any time.
  return behind && effect === "unknown" ? "changes" : effect;
}

/** The repeat rule and the ledger ask about the same line in turn. */
const lineEffect = remembering(
  (line): Effect => {
    const effect = shellEffect(line);
    return effect === "reads" && readsJobOutput(line) ? "waits" : effect;
  },
  { texts: 32, chars: 64 * 1024 },
);

/** Claude Code keeps what a background task prints in a file and tells the model to read it there: asking it again is a wait. */
function readsJobOutput(named: unknown): boolean {
  return typeof named === "string" && /[\\/]claude(?:-\d+)?[\\/][^\n]*[\\/]tasks[\\/][\w-]+\.output\b/.test(named);
}

/** OMP reaches its other tools by writing to `xd://NAME`; their own call follows and says what it does. */
function writesToDevice(input: unknown): boolean {
  const path = fieldOf(input, "path");
  return typeof path === "string" && path.startsWith("xd://");
}

/** Process tools that only ask for more of what a process of this session prints. Names in lower case. */
const OUTPUT_TOOLS: ReadonlySet<string> = new Set(
  "bashoutput bash_output taskoutput agentoutputtool get_terminal_output read_background_output list_background_processes".split(
    " ",
  ),
);
/** What OMP's `hub` is asked to do (its `op`). Sending and starting are not here: they change. */
const HUB_WAITS: ReadonlySet<string> = new Set(["wait", "jobs", "logs", "inbox"]);
const HUB_READS: ReadonlySet<string> = new Set(["list", "ps", "describe"]);

function processEffect(call: EffectOf): Effect {
  const name = call.tool.toLowerCase();
  if (OUTPUT_TOOLS.has(name)) return "waits";
  if (name === "monitor") return monitorEffect(call.input);
  // Codex: a poll is a write of nothing.
  if (name === "write_stdin") return (fieldOf(call.input, "chars") ?? "") === "" ? "waits" : "changes";
  const op = fieldOf(call.input, "op") ?? fieldOf(call.input, "action");
  if (typeof op !== "string") return "changes";
  if (HUB_WAITS.has(op) || op === "poll" || op === "log") return "waits";
  return HUB_READS.has(op) ? "reads" : "changes";
}

/** Claude Code's Monitor runs a command behind the call and reports each line of it: a wait, when the command only looks. */
function monitorEffect(input: unknown): Effect {
  const line = shellLine(input);
  if (line === null) return "unknown";
  const effect = shellEffect(line);
  return effect === "reads" || effect === "waits" ? "waits" : "changes";
}

/**
 * Tools that are neither shell nor file. Bookkeeping of the session's own (todo lists, plans, thoughts) is `reads`: no
 * other call's answer depends on it, and as `unknown` it would release every failure between two tries. Fetching and searching
 * the web look. What asks a person, starts an agent or loads a skill is left `unknown`: anything may come of it.
 */
const OTHER_READS: ReadonlySet<string> = new Set(
  (
    "webfetch web_fetch fetch websearch web_search google_web_search web_search_request codesearch toolsearch tool_search " +
    "todowrite todo_write todoread todo_read todo write_todos update_plan get_goal taskcreate taskupdate taskget tasklist " +
    "think goal recall memory_recall reflect listmcpresources listmcpresourcestool list_mcp_resources readmcpresource " +
    "readmcpresourcetool read_mcp_resource listagents cronlist read_notifications readnotifications view_image " +
    "list_mcp_resource_templates get_diagnostics diagnostics"
  ).split(" "),
);
/** Of these, the tools that write the session's plan and those that only show it; OMP's `todo` and `goal` do both. */
const PLAN_WRITES: ReadonlySet<string> = new Set(
  "todowrite todo_write write_todos todo update_plan taskcreate taskupdate goal".split(" "),
);
const PLAN_READS: ReadonlySet<string> = new Set("todoread todo_read tasklist taskget get_goal".split(" "));

/**
 * What a tool does with the session's own plan; null for every other tool. A plan's answers depend on nothing but what was
 * written into it, and nothing else depends on it: to the rest of the world its tools are `reads`.
 */
export function planPart(tool: string): "writes" | "shows" | null {
  const name = tool.toLowerCase();
  if (PLAN_WRITES.has(name)) return "writes";
  return PLAN_READS.has(name) ? "shows" : null;
}

/** Tools that change something by their very name. */
const OTHER_CHANGES: ReadonlySet<string> = new Set(
  "taskstop killshell kill_shell killbash enterworktree exitworktree croncreate crondelete save_memory retain rewind manage_skill memory_edit".split(
    " ",
  ),
);

function otherEffect(tool: string): Effect {
  const name = tool.toLowerCase();
  if (OTHER_READS.has(name)) return "reads";
  // Codex names it multi_agent_v1wait_agent: it asks an agent this session started; `wait` asks its code mode's script that still runs.
  if (name.endsWith("wait_agent") || name === "wait") return "waits";
  return OTHER_CHANGES.has(name) ? "changes" : "unknown";
}

function fieldOf(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
}
