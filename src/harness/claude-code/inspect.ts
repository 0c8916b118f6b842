import { basename, join } from "node:path";
import { hookLine } from "../canaries.ts";
import type { Inspection, Problem } from "../examine/inspection.ts";
import type { Machine } from "../harness.ts";
import { parseHooksFile } from "../hook-groups.ts";
import { pathOfWord } from "../registered-line.ts";
import { capNote, endingCap } from "./ending-cap.ts";
import { isOwnEntry } from "./entries.ts";
import { bornAt } from "./file-born.ts";
import { pluginFiles, pluginName } from "./plugin.ts";

/** Claude Code's side of `tama doctor`: its settings files, the person's, the folder's and the machine's. */
export async function inspectClaudeCode(machine: Machine): Promise<Inspection> {
  const config = machine.environment["CLAUDE_CONFIG_DIR"] || join(machine.home, ".claude");
  const files = settingsFiles(machine, config).map((path) => readSettings(machine, path));
  const registered = files.map(({ settings }) => ownCommand(settings)).find((one) => one !== null) ?? null;
  const asPlugin = registered === null && files.some(({ settings }) => enablesPlugin(settings));
  const command = asPlugin ? commandOfPlugin() : registered;
  const program = command === null ? null : programIn(command);
  return {
    installed: command !== null,
    file: join(config, "settings.json"),
    binary: asPlugin ? join(machine.home, ".local", "bin", "tama") : program,
    line: hookLine(machine, command, { event: "PreToolUse", refusal: denial, callField: "tool_use_id" }),
    problems: files.flatMap(({ path, settings, cause }) => problemsOf(path, settings, cause)),
    notes: [
      ...(asPlugin
        ? ["installed as a plugin; its own copy of the hooks is not looked at, only that it is enabled"]
        : []),
      ...(command === null ? [] : [capNote(endingCap(capSetting(machine, files)))]),
    ],
    // A subagent's own file lies in a folder of its session's name; its calls are the session's, in a log of their own.
    transcripts: {
      folder: join(config, "projects"),
      sessionOf: (path) => (isSession(path) ? basename(path, ".jsonl") : null),
      // A fork's file begins with the rows of the session it came from, under its own id and with their old times.
      beganAt: bornAt,
    },
    unasked: [],
  };
}

/** Where Claude Code takes its limit of refused endings from: its settings' `env` before the environment it is started in, the folder's before a person's own. */
function capSetting({ environment }: Machine, files: readonly ReadSettings[]): Machine["environment"] {
  const set = files.map(({ settings }) => settings["env"]).filter((env) => typeof env === "object" && env !== null);
  return Object.assign({}, environment, ...set);
}

function settingsFiles({ folder }: Machine, config: string): readonly string[] {
  const ofFolder =
    folder === undefined
      ? []
      : [join(folder, ".claude", "settings.json"), join(folder, ".claude", "settings.local.json")];
  const managed = [
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
  ];
  return [...new Set([join(config, "settings.json"), join(config, "settings.local.json"), ...ofFolder, ...managed])];
}

interface ReadSettings {
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly cause: string | null;
}

function readSettings(machine: Machine, path: string): ReadSettings {
  const text = machine.read(path);
  if (!text.ok) return { path, settings: {}, cause: text.cause };
  try {
    return { path, settings: parseHooksFile(text.value ?? ""), cause: null };
  } catch {
    return { path, settings: {}, cause: `${path} is no JSON` };
  }
}

function problemsOf(path: string, settings: ReadSettings["settings"], cause: string | null): readonly Problem[] {
  if (cause !== null) return [{ what: `${cause}, so Claude Code leaves it out`, wayOut: "mend that file" }];
  const off = settings["disableAllHooks"] === true;
  const managedOnly = settings["allowManagedHooksOnly"] === true;
  return [
    ...(off
      ? [{ what: `${path} says "disableAllHooks": true, so Claude Code runs no hook`, wayOut: "take that line out" }]
      : []),
    ...(managedOnly
      ? [
          {
            what: `${path} allows managed hooks only, so Claude Code does not run Tama's`,
            wayOut: "ask who manages this machine",
          },
        ]
      : []),
  ];
}

function ownCommand(settings: ReadSettings["settings"]): string | null {
  return commandIn(settings, isOwnEntry);
}

function commandIn(settings: object, fits: (entry: unknown) => boolean): string | null {
  const hooks: unknown = Reflect.get(settings, "hooks");
  const groups: unknown = typeof hooks === "object" && hooks !== null ? Reflect.get(hooks, "PreToolUse") : null;
  if (!Array.isArray(groups)) return null;
  const entries = groups.flatMap((group: unknown): unknown[] => {
    const inner: unknown = typeof group === "object" && group !== null ? Reflect.get(group, "hooks") : null;
    return Array.isArray(inner) ? inner : [];
  });
  const own: unknown = entries.find(fits);
  const command: unknown = typeof own === "object" && own !== null ? Reflect.get(own, "command") : null;
  return typeof command === "string" ? command : null;
}

function enablesPlugin(settings: ReadSettings["settings"]): boolean {
  const enabled = settings["enabledPlugins"];
  if (typeof enabled !== "object" || enabled === null) return false;
  return Object.entries(enabled).some(([name, on]) => name.startsWith(`${pluginName}@`) && on === true);
}

/** What this release's plugin registers for a tool call. */
function commandOfPlugin(): string | null {
  const hooks = [...pluginFiles()].find(([path]) => path.endsWith("hooks.json"))?.[1] ?? "{}";
  return commandIn(JSON.parse(hooks), () => true);
}

function programIn(command: string): string | null {
  const path = pathOfWord(/(?:^|\s)('(?:[^']|'\\'')*'|\S+)\s+run-hook\s+claude-code\s*$/.exec(command)?.[1] ?? "");
  return path === "" ? null : path;
}

const denial = '"permissionDecision":"deny"';

function isSession(path: string): boolean {
  return /\/[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/.test(path);
}
