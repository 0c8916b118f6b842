import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** The absolute path a shell would run for `program`, or null. A relative PATH entry is passed over: what it means depends on the folder. */
export function findProgram(program: string, path: string): string | null {
  if (program.includes("/")) return isExecutable(program) ? program : null;
  for (const folder of path.split(":")) {
    const candidate = join(folder, program);
    if (isAbsolute(folder) && isExecutable(candidate)) return candidate;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
