import { expect, test } from "bun:test";
import { picksOf } from "./find-picks.ts";

/** Of a find from the home: whether it picks Tama's folder there, and a settings file two folders down. */
function picked(line: string): string {
  const words = line.split(" ");
  const picks = picksOf(words, words[1] ?? ".");
  const folder = picks("/home/ann", ".tama", true) ? "folder" : "";
  return `${folder} ${picks("/home/ann", "app/settings.json", false) ? "file" : ""}`.trim();
}

const rows: readonly (readonly [string, string])[] = [
  ["find ~", "folder file"],
  ["find ~ -type f -delete", "folder file"],
  ["find ~ -name *.o -delete", ""],
  ["find ~ -name settings.json -delete", "folder file"],
  ["find ~ -iname SETTINGS.JSON", "folder file"],
  ["find ~ -name .tama -exec rm {} ;", "folder"],
  ["find ~ -name app -exec rm -r {} +", "file"],
  ["find ~ -maxdepth 1 -name .t*", "folder"],
  ["find ~ -maxdepth 1 -type f", ""],
  ["find ~ -mindepth 2 -name settings.json", "folder file"],
  ["find ~ -path */app/*", "file"],
  ["find ~ -path /home/ann/.tama/*", "folder"],
  ["find ~ ! -name *.json", "folder file"],
  ["find ~ -not -path */.tama/* -not -name .tama -name *.json", "file"],
  ["find ~ -name app -prune -o -name *.json -delete", "folder"],
  ["find ~ -name *.o -o -name *.json -delete", "folder file"],
  ["find ~ -name *.json -o -name *.o -delete", ""],
  ["find ~ ( -name *.o -o -name *.json ) -delete", "folder file"],
  ["find ~ -type d -empty -delete", ""],
  ["find ~ -regex .*json -delete", ""],
  ["find ~ -mtime +1 -delete", "folder file"],
  ["find ~ -name \0 -delete", ""],
];

for (const [line, wanted] of rows) test(line.replaceAll("\0", "$X"), () => expect(picked(line)).toBe(wanted));
