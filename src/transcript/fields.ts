/** Reading untyped records: a transcript belongs to another program, so nothing about a field is taken for granted. */

export function field(value: unknown, name: string): unknown {
  // A plain look-up: it is done some twenty times a record, and Reflect.get costs three times as much.
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

export function textField(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === "string" ? found : null;
}

/** The text of a message's content: a string, or the text blocks of a list, one after the other. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  let text: string | null = null;
  for (const block of blocksOf(content)) {
    const own = textField(block, "text");
    if (own !== null) text = text === null ? own : `${text}\n${own}`;
  }
  return text ?? "";
}

export function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [];
}
