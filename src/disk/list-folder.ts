import { readdirSync } from "node:fs";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";

/** The names in a folder with one ending, sorted, temporaries and other dot files left out. A folder that is not there holds none. */
export function listFolder(folder: string, ending: string): Result<readonly string[]> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.startsWith("."));
    return done(names.sort());
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? done([]) : failed(`cannot list ${folder}: ${causeOf(thrown)}`);
  }
}

/** The names of the folders in a folder; none where it cannot be read. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
