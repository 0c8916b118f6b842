// A rule that looks for `process.exit` must not trip over a comment or a sentence that names it, and a report must name
// the line. So the source is read once, character by character, into a text of the same length in which comments, the
// inside of strings and of regular expressions are blank. Whether a slash begins a regular expression is decided by
// what stands before it; where that is wrong, a rule sees too much, never too little, for at most the rest of a line.

/** The source with everything blank that is not code; quotes, `${`…`}` and line ends keep their places. */
export function codeOf(text: string): string {
  const out = text.split("");
  // Depth of braces inside each open `${`; empty outside of template literals.
  const templates: number[] = [];
  let before = "";
  let at = 0;
  const blankTo = (end: number): void => {
    for (; at < end; at += 1) if (out[at] !== "\n") out[at] = " ";
  };
  while (at < text.length) {
    const char = text[at] ?? "";
    if (text.startsWith("//", at)) blankTo(endOr(text.indexOf("\n", at), text.length));
    else if (text.startsWith("/*", at)) blankTo(endOr(text.indexOf("*/", at + 2) + 2, text.length, 1));
    else if (char === '"' || char === "'") {
      at += 1;
      blankTo(stringEnd(text, at, char));
      at += 1;
      before = char;
    } else if (char === "`" || (char === "}" && templates.at(-1) === 0)) {
      if (char === "}") templates.pop();
      at += 1;
      const end = templateEnd(text, at);
      blankTo(end);
      if (text[end] === "$") {
        templates.push(0);
        at += 2;
        before = "{";
      } else {
        at += 1;
        before = "`";
      }
    } else if (char === "/" && regexEnd(text, at, before) > 0) {
      const end = regexEnd(text, at, before);
      at += 1;
      blankTo(end);
      at += 1;
      before = "/x";
    } else {
      const depth = templates.at(-1);
      if (depth !== undefined && char === "{") templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === "}") templates[templates.length - 1] = depth - 1;
      if (/\S/.test(char)) before = /\w/.test(char) && /\w$/.test(text.slice(at - 1, at)) ? before + char : char;
      at += 1;
    }
  }
  return out.join("");
}

/** The number of the line that holds a place in a text, from 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function endOr(found: number, otherwise: number, least = 0): number {
  return found > least ? found : otherwise;
}

function stringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote || text[at] === "\n") return at;
  }
  return text.length;
}

// The place of the closing backtick, or of the `$` of the next `${`.
function templateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`" || text.startsWith("${", at)) return at;
  }
  return text.length;
}

// The place of the closing slash, or 0 where the slash is a division.
function regexEnd(text: string, from: number, before: string): number {
  const begins = before === "" || /^[(,=:[!&|?{};+*%>~^-]$/.test(before);
  if (!begins && !/^(return|typeof|case|in|of|throw|await|yield|else)$/.test(before)) return 0;
  let inClass = false;
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
    else if (text[at] === "/" && !inClass) return at;
  }
  return 0;
}
