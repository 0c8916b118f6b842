import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A person's own settings of Claude Code; their folder is elsewhere where CLAUDE_CONFIG_DIR says so. */
export function userSettings(environment: Environment, home: string): string {
  return join(environment["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "settings.json");
}

/** The settings of one folder, the shared and the person's own. */
export function folderSettings(folder: string): readonly string[] {
  return ["settings.json", "settings.local.json"].map((name) => join(folder, ".claude", name));
}

/** Where an installation keeps what a settings file was before, one for each file: it is there as long as Tama is installed in that file. */
export function keptPath(tamaHome: string, settings: string): string {
  return join(tamaHome, "install", `claude-code-${sha256(settings).slice(0, 12)}.json`);
}
