import type { Redirection } from "unbash";
import { isLiteral, wordText } from "./shell-words.ts";

/** Devices and descriptors: writing there leaves nothing behind. Port checks through /dev/tcp are looks. */
const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|tty|zero|full|fd\/.*|tcp\/.*|udp\/.*)$|^\/proc\/self\/fd\//;

/** True when the redirection may create or change a file. A target only the shell knows counts as a file. */
export function isRedirectionToFile(redirection: Redirection): boolean {
  if (redirection.type !== "Redirect" || redirection.operator === "<" || redirection.operator === "<&") return false;
  const target = redirection.target;
  if (target === undefined) return false;
  if (target.parts?.length === 1 && target.parts[0]?.type === "ProcessSubstitution") return false;
  const text = wordText(target);
  if (redirection.operator === ">&" && /^\d*-?$/.test(text)) return false;
  return !isLiteral(text) || !NO_FILE.test(text);
}
