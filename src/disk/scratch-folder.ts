import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder for a demonstration, private and gone afterwards. */
export interface ScratchFolder {
  readonly path: string;
  /** Writes a file in it and returns its absolute path. */
  readonly write: (name: string, text: string, mode?: number) => string;
  readonly remove: () => void;
}

export function makeScratchFolder(purpose: string): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), `tama-${purpose}-`));
  return {
    path,
    write: (name, text, mode = 0o600) => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
      chmodSync(file, mode);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
