/**
 * What a table holds under a name that somebody else chose. A plain lookup would also find what every object inherits: a call
 * named `toString`, a tool named `constructor`.
 */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
