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
 * The parser costs a hundred times what a look at the lines costs, so it gets only the pieces that hold a fence in a quote, behind an item's
 * mark or far to the right. A fence at the margin, or words or an item there behind a blank line, end every item and quote above: what
 * follows depends on nothing before, unless a fence is open that stands in neither. Those are found line by line. One up to three spaces to
 * the right begins in whatever stands open there, and where all its lines begin with these spaces its text is the same in a list and in
 * none. HTML ends at a blank line too, and where a fence may be a piece of it, or it is of the kinds that end at a mark of their own, the
 * rest is the parser's. `fences.test.ts` compares both on random texts.
 */
export function fencesIn(text: string): readonly Fence[] {
  if (!mayHoldFence.test(text)) return [];
  if (unusual.test(text)) return parsedFences(text);
  const lines = text.split("\n");
  const fences: Fence[] = [];
  let unread = 0;
  // What was found since, and whether only the parser tells what stands there.
  let own: Fence[] = [];
  let unsure = false;
  const readTo = (end: number): void => {
    // A heading stands for the line at the margin that follows.
    const following = end < lines.length ? ["#"] : [];
    fences.push(...(unsure ? parsedFences([...lines.slice(unread, end), ...following].join("\n")) : own));
    unread = end;
    own = [];
    unsure = false;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (onlyParserTells.test(line)) {
      unsure = true;
      break;
    }
    if (startsAfresh.test(line) && isBlank(lines[at - 1] ?? "")) readTo(at);
    if (html.test(line)) {
      const blank = endOfHtml(lines, at);
      if (blank === null) {
        unsure = true;
        break;
      }
      at = blank;
      continue;
    }
    const [, indent = "", mark, info = ""] = opening.exec(line) ?? [];
    if (mark === undefined) {
      unsure ||= mayHoldFence.test(line);
      continue;
    }
    const end = indent === "" ? endAtMargin(lines, at, mark) : endIndented(lines, at, indent, mark);
    if (end === null) {
      unsure = true;
      break;
    }
    const body = lines.slice(at + 1, end).map((one) => one.slice(indent.length));
    const fence = { language: firstWord(info), body: body.join("\n") };
    if (indent === "") {
      readTo(at);
      fences.push(fence);
      unread = end + 1;
    } else own.push(fence);
    at = end;
  }
  readTo(lines.length);
  return fences;
}

const mayHoldFence = /^[ \t>*+\-\d.)]*(?:```|~~~)/m;
/** A byte order mark, a NUL and a carriage return are rare, and CommonMark has its own word on each. */
const unusual = /^\ufeff|[\0\r]/;
/** HTML that goes on behind a blank line, and character references in the word behind a fence. */
const onlyParserTells =
  /^[ \t>*+\-\d.)]*<(?:[!?]|(?:script|pre|style|textarea)(?:[\s>]|$))|^ {0,3}(?:```|~~~).*[\\&]/is;
/** Behind a blank line: words at the margin, or an item there, which ends what the item before it had open. */
const startsAfresh = /^(?:[^ \t\d>*+-]|(?:[*+-]|\d{1,9}[.)]) \S)/;
/** All other HTML, or words that look like it. */
const html = /^[ \t>*+\-\d.)]*<[a-z/]/i;
/** A fence that need not stand in a list or quote. Behind backticks no further one may stand: that would be code within a line. */
const opening = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/s;

/** The line that closes the fence opened at `at`, or the one behind the text's last. */
function endAtMargin(lines: readonly string[], at: number, mark: string): number {
  const closes = closing(mark);
  for (let end = at + 1; end < lines.length; end++) if (closes.test(lines[end] ?? "")) return end;
  // The last line end is the text's own.
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

/** The same for an indented one, where it closes alike in a list and in none: nothing before stands further left. Null where it may not. */
function endIndented(lines: readonly string[], at: number, indent: string, mark: string): number | null {
  const closes = closing(mark);
  for (let end = at + 1; end < lines.length; end++) {
    const line = lines[end] ?? "";
    if (/^ *$/.test(line)) continue;
    if (!line.startsWith(indent)) return null;
    const inner = line.slice(indent.length);
    if (closes.test(inner)) return inner.startsWith(" ") ? null : end;
  }
  return null;
}

/** The blank line, or the text's end, where nothing of the HTML at `at` is open any more; null where a fence may have begun in between. */
function endOfHtml(lines: readonly string[], at: number): number | null {
  for (let end = at; end < lines.length; end++) {
    const line = lines[end] ?? "";
    if (isBlank(line)) return end;
    if (mayHoldFence.test(line) || onlyParserTells.test(line)) return null;
  }
  return lines.length;
}

function closing(mark: string): RegExp {
  return new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`);
}

function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
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
  return start !== undefined && /^(?:```|~~~)/.test(text.slice(start, start + 3));
}
