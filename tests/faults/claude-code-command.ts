import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandEnd, makeWorld, tama, type World } from "../journeys/tama-command.ts";

/** Claude Code's side of an event without Claude Code: the command line that `tama install` wrote, and the event on stdin as documented. */
export interface InstalledCommand {
  readonly world: World;
  readonly work: string;
  readonly command: string;
  /** The entry as it stands in the settings. */
  readonly entry: Readonly<Record<string, unknown>>;
}

export async function installedCommand(): Promise<InstalledCommand> {
  const world = makeWorld();
  const work = join(world.root, "work");
  mkdirSync(work);
  const ended = await tama(world, ["install", "claude-code", "--no-binary"]);
  if (ended.code !== 0) throw new Error(`install: exit ${ended.code}: ${ended.stderr}`);
  const { hooks } = JSON.parse(readFileSync(join(world.root, ".claude", "settings.json"), "utf8"));
  const entry = hooks.PreToolUse.at(-1).hooks[0];
  return { world, work, command: entry.command, entry };
}

export interface Asked {
  readonly environment?: Readonly<Record<string, string>>;
  /** Words put before the shell: a mount namespace. */
  readonly under?: readonly string[];
  /** Called once it runs, with the shell's pid, which leads a group of its own as under Claude Code. */
  readonly meanwhile?: (pid: number) => Promise<void>;
}

let calls = 0;

/** One PreToolUse about a new call. */
export function ask(installed: InstalledCommand, how: Asked = {}): Promise<CommandEnd> {
  const { world, work } = installed;
  const event = {
    session_id: "s-fault",
    transcript_path: join(world.root, "s-fault.jsonl"),
    cwd: work,
    prompt_id: "p-1",
    permission_mode: "bypassPermissions",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: `touch ran-${++calls}`, description: "Touch a file" },
    tool_use_id: `toolu_${calls}`,
  };
  return asked(installed, event, how);
}

/** An event of any such agent's, put to the command line as it is installed. */
export async function asked(
  { world, work, command }: InstalledCommand,
  event: object,
  how: Asked,
): Promise<CommandEnd> {
  const child = Bun.spawn([...(how.under ?? []), "/bin/sh", "-c", command], {
    cwd: work,
    env: { ...world.environment, CLAUDE_PID: String(process.pid), CLAUDE_PROJECT_DIR: work, ...how.environment },
    stdin: new Blob([`${JSON.stringify(event)}\n`]),
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  const [stdout, stderr] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
    how.meanwhile?.(child.pid),
  ]);
  const signal = child.signalCode === null ? null : String(child.signalCode);
  return { code: signal === null ? child.exitCode : null, signal, stdout, stderr };
}

/** The reason of a refusal in the one form that refuses: exit 2 and the deny JSON, alone on stdout. Throws what came instead. */
export function refusedFor(ended: CommandEnd): string {
  const told = `exit ${ended.signal ?? ended.code}, stdout ${JSON.stringify(ended.stdout)}, stderr ${ended.stderr}`;
  if (ended.code !== 2 || ended.stdout === "") throw new Error(`no refusal: ${told}`);
  const { hookSpecificOutput } = JSON.parse(ended.stdout);
  if (hookSpecificOutput?.permissionDecision !== "deny") throw new Error(`no deny: ${told}`);
  return String(hookSpecificOutput.permissionDecisionReason);
}
