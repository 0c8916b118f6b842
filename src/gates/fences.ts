import { fromMarkdown } from "mdast-util-from-markdown";

/** One fenced code block of an answer. */
export interface Fence {
  /** The first word behind the opening fence, in lower case; null where there is none. */
  readonly language: string | null;
  readonly body: string;
}

/**
 * The fenced code blocks of a Markdown text in order, in lists and quotes too, as CommonMark has it. An indented block is no fence.
 *
 * A fence at the margin ends every list and quote above it, and nothing is open behind its end: such fences, which are nearly all, are
 * found line by line, and the parser gets only what stands between them and holds an indented or quoted one. It costs a hundred times
 * as much. Where HTML begins, a fence may be a piece of it: the rest is the parser's. `fences.test.ts` compares both on random texts.
 */
export function fencesIn(text: string): readonly Fence[] {
  if (!mayHoldFence.test(text)) return [];
  if (unusual.test(text)) return parsedFences(text);
  const lines = text.split("\n");
  const fences: Fence[] = [];
  let unread = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (onlyParserTells.test(line)) break;
    const [, mark, info = ""] = atMargin.exec(line) ?? [];
    if (mark === undefined) continue;
    fences.push(...parsedFences(lines.slice(unread, at).join("\n")));
    const end = endOfFence(lines, at, mark);
    fences.push({ language: firstWord(info), body: lines.slice(at + 1, end).join("\n") });
    at = end;
    unread = end + 1;
  }
  return [...fences, ...parsedFences(lines.slice(unread).join("\n"))];
}

const mayHoldFence = /^[ \t>*+\-\d.)]*(?:```|~~~)/m;
/** A byte order mark, a NUL and a carriage return are rare, and CommonMark has its own word on each. */
const unusual = /^\ufeff|[\0\r]/;
/** HTML; a fence a little indented, which may or may not be in a list; character references in the word behind a fence. */
const onlyParserTells = /^ {0,3}<[a-z!?/]|^ {1,3}(?:```|~~~)|^(?:```|~~~).*[\\&]/is;
/** Behind backticks no further one may stand: that would be code within a line. */
const atMargin = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/s;

/** The line that closes the fence opened at `at`, or the one behind the text's last. */
function endOfFence(lines: readonly string[], at: number, mark: string): number {
  const closing = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`);
  for (let end = at + 1; end < lines.length; end++) if (closing.test(lines[end] ?? "")) return end;
  // The last line end is the text's own.
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function firstWord(info: string): string | null {
  return /[^ \t]+/.exec(info)?.[0].toLowerCase() ?? null;
}

type MarkdownNode = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

/** The same by the parser alone. */
export function parsedFences(text: string): readonly Fence[] {
  if (!mayHoldFence.test(text)) return [];
  const fences: Fence[] = [];
  const stack: MarkdownNode[] = [fromMarkdown(text)];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "code" && isFenced(text, node.position?.start.offset))
      fences.push({ language: node.lang?.toLowerCase() ?? null, body: node.value });
    if ("children" in node) stack.push(...[...node.children].reverse());
  }
  return fences;
}

/** Markdown calls an indented block code too; a fence begins with its fence. */
function isFenced(text: string, start: number | undefined): boolean {
  return start !== undefined && /^[ \t]*(```|~~~)/.test(text.slice(start, start + 16));
}
