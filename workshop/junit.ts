export interface TestOutcome {
  readonly file: string;
  /** "describe > test". */
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
}

/** Reads what Bun's JUnit reporter wrote, one entry a test, in its order. */
export function readJunit(xml: string): TestOutcome[] {
  const found: TestOutcome[] = [];
  for (const match of xml.matchAll(/<testcase\b([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const attributes = readAttributes(match[1] ?? "");
    const inside = match[3] ?? "";
    // Bun writes the describe blocks innermost first.
    const blocks = (attributes["classname"] ?? "").split(" > ").filter((block) => block !== "");
    found.push({
      file: attributes["file"] ?? "",
      name: [...blocks.reverse(), attributes["name"] ?? ""].join(" > "),
      outcome: outcomeOf(inside),
    });
  }
  return found;
}

/** The counts of Bun's closing lines ("12 pass", "1 error", "Ran 13 tests across 2 files"), or null when it never closed. */
export function readClosing(output: string): { failed: number; errors: number; ran: number; files: number } | null {
  const ran = [...output.matchAll(/^Ran (\d+) tests? across (\d+) files?\./gm)].at(-1);
  if (ran === undefined) return null;
  const before = output.slice(0, ran.index);
  const count = (word: string): number => {
    const line = [...before.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1);
    return Number(line?.[1] ?? 0);
  };
  return { failed: count("fail"), errors: count("errors?"), ran: Number(ran[1]), files: Number(ran[2]) };
}

/** The reason in a skipped test's name: "… (skipped: the registry cannot be reached)". */
export function skipReason(name: string): string | null {
  return /\(skipped: (.+?)\)(?= > |$)/.exec(name)?.[1] ?? null;
}

function outcomeOf(inside: string): TestOutcome["outcome"] {
  if (/<(failure|error)\b/.test(inside)) return "failed";
  return /<skipped\b/.test(inside) ? "skipped" : "passed";
}

function readAttributes(text: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [, key, value] of text.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (key !== undefined) read[key] = unescapeXml(value ?? "");
  }
  return read;
}

function unescapeXml(text: string): string {
  const plain: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return plain[name] ?? whole;
  });
}
