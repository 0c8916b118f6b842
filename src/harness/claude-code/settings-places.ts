import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A person's own settings of Claude Code; their folder is elsewhere where CLAUDE_CONFIG_DIR says so. */
export function userSettings(environment: Environment, home: string): string {
  return join(environment["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "settings.json");
}

/** The settings of one folder, the shared and the person's own. */
export function folderSettings(folder: string): readonly string[] {
  return ["settings.json", "settings.local.json"].map((name) => join(folder, ".claude", name));
}
