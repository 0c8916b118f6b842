import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandEnd, makeWorld, tama } from "../journeys/tama-command.ts";
import type { AskedAgent } from "./broken-surroundings.ts";
import { type Asked, ask, asked, type InstalledCommand, installedCommand, refusedFor } from "./claude-code-command.ts";

// The agents whose installed command line is asked without them, and the one form in which each takes a refusal. Codex and Gemini CLI take one
// JSON object at exit 0 that denies with a reason; where the program itself gives no answer, exit 2 with words on stderr, which the
// registered shell line says for it. Everything else would let the tool run.

export const claudeCode: AskedAgent = {
  harness: "claude-code",
  install: installedCommand,
  ask,
  refusedFor,
  passes: "",
};

/** Where an agent keeps its hooks, the event before a call, and the call as it is told. */
interface Place {
  readonly harness: string;
  readonly file: string;
  readonly event: string;
  readonly call: (number: number) => object;
  readonly denial: (answer: Readonly<Record<string, unknown>>) => unknown;
  readonly passes: string;
}

let calls = 0;

function agentAt({ harness, file, event, call, denial, passes }: Place): AskedAgent {
  const install = async (): Promise<InstalledCommand> => {
    const world = makeWorld();
    const work = join(world.root, "work");
    mkdirSync(work);
    const ended = await tama(world, ["install", harness, "--no-binary"]);
    if (ended.code !== 0) throw new Error(`install: exit ${ended.code}: ${ended.stderr}`);
    const { hooks } = JSON.parse(readFileSync(join(world.root, file), "utf8"));
    const entry = hooks[event].at(-1).hooks[0];
    return { world, work, command: entry.command, entry };
  };
  const put = (installed: InstalledCommand, how: Asked = {}): Promise<CommandEnd> => {
    const common = { session_id: "s-fault", transcript_path: null, cwd: installed.work, hook_event_name: event };
    return asked(installed, { ...common, ...call(++calls) }, how);
  };
  const reasonOf = (ended: CommandEnd): string => {
    const told = `exit ${ended.signal ?? ended.code}, stdout ${JSON.stringify(ended.stdout)}, stderr ${ended.stderr}`;
    if (ended.code === 2 && ended.stdout === "" && ended.stderr.trim() !== "")
      return ended.stderr.trim().split("\n").at(-1) ?? "";
    if (ended.code !== 0 || ended.stdout === "") throw new Error(`no refusal: ${told}`);
    const reason = denial(JSON.parse(ended.stdout));
    if (typeof reason !== "string" || reason.trim() === "") throw new Error(`no denial with a reason: ${told}`);
    return reason;
  };
  return { harness, install, ask: put, refusedFor: reasonOf, passes };
}

export const codex: AskedAgent = agentAt({
  harness: "codex",
  file: ".codex/hooks.json",
  event: "PreToolUse",
  call: (number) => ({
    turn_id: "t-1",
    tool_name: "Bash",
    tool_input: { command: `touch ran-${number}` },
    tool_use_id: `call_${number}`,
  }),
  denial: ({ hookSpecificOutput: output }) =>
    typeof output === "object" && output !== null && Reflect.get(output, "permissionDecision") === "deny"
      ? Reflect.get(output, "permissionDecisionReason")
      : null,
  passes: "",
});

export const gemini: AskedAgent = agentAt({
  harness: "gemini",
  file: ".gemini/settings.json",
  event: "BeforeTool",
  call: (number) => ({ tool_name: "run_shell_command", tool_input: { command: `touch ran-${number}` } }),
  denial: ({ decision, reason }) => (decision === "deny" ? reason : null),
  passes: "{}\n",
});
