import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every JSON record below TAMA_HOME, decoded; throws where one does not decode. */
export function decodedRecords(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /\.jsonl?$/.test(path) && statSync(path).isFile())
    .flatMap((path) => {
      const text = readFileSync(path, "utf8").trimEnd();
      return path.endsWith(".json") ? [JSON.parse(text)] : text.split("\n").map((line) => JSON.parse(line));
    });
}
