import { statementsOf } from "../shell/statements.ts";

/**
 * The scripts in a shell fence: its whole body, or, where it shows prompts, what stands after each of them. Whatever follows a prompt's
 * command is its output. A second prompt (`> `) goes on with a command only while that is not whole: npm begins its own lines so too.
 */
export function scriptsOf(language: string | null, body: string): readonly string[] {
  const lines = body.split("\n").map((line) => line.replace(/\r$/, ""));
  const prompt = promptOf(lines, language === "console" || language === "shell-session");
  if (prompt === null) return [body];
  const scripts: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!prompt.test(lines[at] ?? "")) continue;
    const { script, last } = scriptAt(lines, at, prompt);
    scripts.push(script);
    at = last;
  }
  return scripts;
}

/** `$ `, also behind a user's name and folder or a virtual environment's; the signs of other shells. */
const named = /^\s*(?:\([\w.-]+\) ?)?(?:[\w.-]+@[\w.-]+[: ]?[^\s$#%>]* ?|\[[^\]\n]+\] ?)[$#%>❯➜] /u;
const plain = /^\s*(?:\([\w.-]+\) ?)?\$ /;
/** These stand alone in a console only; elsewhere `# ` begins a comment. */
const inConsole: readonly RegExp[] = [/^\s*[❯➜] /u, /^% /, /^\s*# /];
const second = /^\s*>(?: |$)/;

function promptOf(lines: readonly string[], isConsole: boolean): RegExp | null {
  const found = [plain, named, ...(isConsole ? inConsole : [])].find((one) => lines.some((line) => one.test(line)));
  if (found !== undefined) return found;
  // A line that begins with a redirection is hardly ever written.
  return second.test(lines.find((line) => line.trim() !== "") ?? "") ? /^\s*> / : null;
}

function scriptAt(
  lines: readonly string[],
  at: number,
  prompt: RegExp,
): { readonly script: string; readonly last: number } {
  let script = (lines[at] ?? "").replace(prompt, "");
  let last = at;
  for (;;) {
    const next = lines[last + 1];
    if (next === undefined || isWhole(script)) return { script, last };
    if (second.test(next)) script += `\n${next.replace(/^\s*> ?/, "")}`;
    else if (prompt.test(next)) return { script, last };
    else if (isOpen(script)) script += `\n${next}`;
    else return { script, last };
    last++;
  }
}

/** A line that a backslash, a here-document or an open loop leaves unfinished goes on although no second prompt says so. */
function isOpen(script: string): boolean {
  return (
    /\\$/.test(script) ||
    !isDocumentClosed(script) ||
    /(?:^|[;&|]\s*|\s)(?:do|then|else|\{)\s*$/.test(firstLine(script))
  );
}

function firstLine(script: string): string {
  return script.split("\n")[0] ?? "";
}

function isWhole(script: string): boolean {
  return !/\\$/.test(script) && isDocumentClosed(script) && statementsOf(script) !== null;
}

function isDocumentClosed(script: string): boolean {
  const mark = /<<-?\s*(["']?)([\w.-]+)\1/.exec(script)?.[2];
  if (mark === undefined) return true;
  return script
    .split("\n")
    .slice(1)
    .some((line) => line.trim() === mark);
}
