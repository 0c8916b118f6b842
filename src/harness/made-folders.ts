import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The folders that writing into this one makes, innermost first; an uninstallation takes them away again where they are empty. */
export function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}
