import { release } from "../../base/release.ts";
import { readThroughLinks } from "../apply-plan.ts";
import { type HookGroup, readHooksFile } from "../hook-groups.ts";
import { clearTakeovers } from "../takeovers.ts";
import { programOf, wantedGroups } from "./entries.ts";
import { folderSettings, userSettings } from "./settings-places.ts";
import { entriesForAll } from "./settings-text.ts";

/**
 * Tama as a plugin of Claude Code, for a person who manages it by plugins. The plugin holds the hooks, not the program: Claude Code replaces a
 * plugin's folder under running sessions when it updates (measured elsewhere: public issues), so the program stays where `tama install` puts it.
 */
export const pluginName = "tama";

/** The files of the plugin and of the marketplace that offers it, by path from the project's root. */
export function pluginFiles(): ReadonlyMap<string, string> {
  const description = "One hook runtime below coding agents: supervised gates that refuse a repeated failure.";
  const about = { name: pluginName, version: release, description, license: "MIT" };
  const offer = { name: pluginName, source: `./${pluginFolder}`, description };
  const marketplace = { name: pluginName, owner: { name: "Tama" }, description, plugins: [offer] };
  return new Map([
    [".claude-plugin/marketplace.json", text(marketplace)],
    [`${pluginFolder}/.claude-plugin/plugin.json`, text({ ...about, author: { name: "Tama" } })],
    [`${pluginFolder}/hooks/hooks.json`, text({ description, hooks: pluginHooks() })],
  ]);
}

const pluginFolder = "plugins/claude-code";

/** A missing program is told in words, as a refusal; where that is no refusal, `onFailure` and the other events' are. */
const pluginCommand = [
  't="$HOME/.local/bin/tama"',
  '[ -x "$t" ] || { echo "Tama\'s program is not at $t: put it there with \'tama install\', or switch this plugin off" >&2; exit 2; }',
  `exec ${clearTakeovers} "$t" run-hook claude-code-plugin`,
].join("; ");

function pluginHooks(): Readonly<Record<string, readonly HookGroup[]>> {
  const withCommand = (group: HookGroup): HookGroup => ({
    ...group,
    hooks: group.hooks.map((hook) => ({ ...hook, command: pluginCommand })),
  });
  return Object.fromEntries([...wantedGroups("")].map(([event, group]) => [event, [withCommand(group)]]));
}

/**
 * Whether the settings start Tama at this event too. Then they do, and the plugin says nothing: asked twice about one call, Tama would take
 * the second asking for a repeat of the first.
 */
export function settingsAsk(
  host: string | null,
  environment: Readonly<Record<string, string | undefined>>,
  userHome: string,
): boolean {
  if (host === null) return false;
  const folder = environment["CLAUDE_PROJECT_DIR"];
  const paths = [userSettings(environment, userHome), ...(folder ? folderSettings(folder) : [])];
  return paths.some((path) => {
    const read = readThroughLinks(path);
    const settings = read.ok ? readHooksFile(read.value ?? "") : read;
    if (!settings.ok) return false;
    return entriesForAll(settings.value, host).some(
      ({ command }) => typeof command === "string" && programOf(command) !== null,
    );
  });
}

function text(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
