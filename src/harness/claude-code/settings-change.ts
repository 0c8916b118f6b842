import { realpathSync } from "node:fs";
import { done, failed, type Result } from "../../base/result.ts";
import type { Refusal } from "../../base/verdict.ts";
import { readThroughLinks } from "../apply-plan.ts";
import { readHooksFile } from "../hook-groups.ts";
import { keptPath } from "../kept-original.ts";
import { programOf } from "./entries.ts";
import type { SettingsChange } from "./host-event.ts";
import { pluginName } from "./plugin.ts";
import { folderSettings, userSettings } from "./settings-places.ts";
import { entriesForAll, type Json } from "./settings-text.ts";

/** Where this process stands: what is needed to tell whether the settings would still start it. */
export interface Standing {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly tamaHome: string;
  /** The running Tama. */
  readonly program: string;
}

/**
 * A settings file changed under a running session: null where the hooks go on, a refusal where the session would run on without them. Claude
 * Code drops a whole file for one bad character and takes one key, in any of its files, for all hooks (measured), so the session keeps the
 * settings it had. Tama's own uninstallation takes its kept file away with the entries, and so passes.
 *
 * What the administrator's policy says is not looked at, since no hook can refuse it; skills hold no hooks of a person's.
 */
export function judgeSettings(change: SettingsChange, standing: Standing): Result<Refusal | null> {
  if (change.source === "skills" || change.source === "policy_settings") return done(null);
  const text = readThroughLinks(change.path);
  if (!text.ok) return text;
  const settings = readHooksFile(text.value ?? "");
  if (!settings.ok) return done(refusal(change.path, `${settings.cause}, so Claude Code would drop the whole file`));
  if (settings.value["disableAllHooks"] === true) {
    return done(refusal(change.path, 'now says "disableAllHooks": true, which switches off every hook of yours'));
  }
  const plugin = switchedOffPlugin(settings.value);
  if (plugin !== null) return done(refusal(change.path, `now switches the plugin ${plugin} off`));
  const installed = readThroughLinks(keptPath(standing.tamaHome, "claude-code", change.path));
  if (!installed.ok) return installed;
  if (installed.value === null) return done(null);
  const missing = missingEvents(change, settings.value, standing);
  return missing.ok
    ? done(
        missing.value.length === 0 ? null : refusal(change.path, `no longer asks Tama at ${missing.value.join(", ")}`),
      )
    : missing;
}

function switchedOffPlugin({ enabledPlugins }: Json): string | null {
  const found = Object.entries(enabledPlugins ?? {}).find(
    ([name, on]) => name.startsWith(`${pluginName}@`) && on === false,
  );
  return found?.[0] ?? null;
}

/** The events at which no settings file would start this Tama any more. */
function missingEvents(change: SettingsChange, changed: Json, standing: Standing): Result<readonly string[]> {
  const { environment, userHome, program } = standing;
  const folder = environment["CLAUDE_PROJECT_DIR"] || change.cwd;
  const paths = [userSettings(environment, userHome), ...(folder ? folderSettings(folder) : [])];
  const all: Json[] = [changed];
  for (const path of paths.filter((one) => one !== change.path)) {
    const text = readThroughLinks(path);
    if (!text.ok) return failed(text.cause);
    const settings = readHooksFile(text.value ?? "");
    if (settings.ok) all.push(settings.value);
  }
  const own = realPath(program);
  const asked = (event: string): boolean =>
    all.some((settings) =>
      entriesForAll(settings, event).some(({ command }) => {
        const path = typeof command === "string" ? programOf(command) : null;
        return path !== null && realPath(path) === own;
      }),
    );
  return done(deciding.filter((event) => !asked(event)));
}

/** Not all that are registered: a later release that hears more must not take an older installation for a broken one. */
const deciding = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "ConfigChange",
];

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function refusal(path: string, what: string): Refusal {
  return {
    what: `${path} ${what}.`,
    why: "This session would go on unjudged; it keeps the settings it had.",
    instead:
      "Put the file back as it was. The operator takes Tama out with: tama uninstall claude-code. A session that is started anew takes the file as it stands.",
  };
}
