/** A word as a person can paste it into a shell: plain ones as they are, every other in single quotes. */
export function quotedWord(word: string): string {
  return /^[A-Za-z0-9._/:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A flag with its value, pasteable also where the value begins like a flag. */
export function quotedFlag(flag: string, value: string): string {
  return `${flag}${value.startsWith("-") ? "=" : " "}${quotedWord(value)}`;
}
