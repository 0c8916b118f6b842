import type { Redirection } from "unbash";
import { isLiteral, type Values, wordText } from "./shell-words.ts";

/** Devices and descriptors: writing there leaves nothing behind. Port checks through /dev/tcp are looks. */
const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|tty|zero|full|fd\/.*|tcp\/.*|udp\/.*)$|^\/proc\/self\/fd\//;

/** The files these redirections may create or change, as words; NOT_LITERAL where only the shell knows which. */
export function filesWritten(redirections: readonly Redirection[], values?: Values): readonly string[] {
  return redirections.flatMap((redirection) => {
    const file = fileWritten(redirection, values);
    return file === null ? [] : [file];
  });
}

function fileWritten(redirection: Redirection, values: Values | undefined): string | null {
  if (redirection.type !== "Redirect" || redirection.operator === "<" || redirection.operator === "<&") return null;
  const target = redirection.target;
  if (target === undefined) return null;
  if (target.parts?.length === 1 && target.parts[0]?.type === "ProcessSubstitution") return null;
  const text = wordText(target, values);
  if (redirection.operator === ">&" && /^\d*-?$/.test(text)) return null;
  return isLiteral(text) && NO_FILE.test(text) ? null : text;
}
