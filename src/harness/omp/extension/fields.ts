// What arrives from OMP and from the core is unknown until it was looked at; these look.

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function field(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The elements of a list, none where it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** A message's content as text: its text blocks, a newline apart. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = listOf(content).filter((block) => field(block, "type") === "text");
  return blocks.map((block) => textField(block, "text")).join("\n");
}

export function causeOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What could move a cursor is not for a screen. */
export function plain(line: string): string {
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").slice(0, 1000);
}
