import { sha256 } from "../base/digest.ts";

/**
 * The file name, without ending, that a session's records have: everything outside `[A-Za-z0-9._-]` and a leading dot percent-encoded, a
 * subagent's as `<session>~<agentId>`, one over 200 bytes cut and given the sha256 of the whole (contract 5). `~` is always encoded in
 * the parts, so no two ids share a name.
 */
export function sessionFileName(session: string, agentId: string | null = null): string {
  const name = agentId === null ? encode(session) : `${encode(session)}~${encode(agentId)}`;
  if (name.length <= nameBytesMax) return name;
  const whole = sha256(Buffer.from(`${session.length}:${session}${agentId ?? ""}`, "utf16le"));
  return `${name.slice(0, keptBytes).replace(/%[0-9A-Fu]{0,4}$/, "")}~~${whole}`;
}

const nameBytesMax = 200;
const keptBytes = 120;

function encode(id: string): string {
  let name = "";
  for (const character of id) {
    if (kept.includes(character) && !(character === "." && name === "")) name += character;
    else name += encodeCharacter(character);
  }
  return name;
}

/** Not a regular expression: the first one costs the start of every command a tenth of a millisecond. */
const kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

/** A lone surrogate has no UTF-8 form; it keeps its own number, so that it shares no name with U+FFFD. */
function encodeCharacter(character: string): string {
  if (/^[\ud800-\udfff]$/.test(character)) return `%u${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
