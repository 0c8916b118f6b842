import { basename } from "node:path";
import { readTextFile } from "../disk/read-record.ts";

/** The names of the shells that `/etc/shells` declares; none where there is no such file. */
export function declaredShells(): readonly string[] {
  const text = readTextFile("/etc/shells");
  const lines = text.ok && text.value !== null ? text.value.split("\n") : [];
  return lines.filter((line) => line.startsWith("/")).map((line) => basename(line.trim()));
}
