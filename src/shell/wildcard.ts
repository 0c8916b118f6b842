/**
 * A pattern of a shell or of `find` as a regular expression over a whole text; a star takes whatever `flags` let a dot take. Null where it
 * is none, such as an open bracket.
 */
export function wildcardForm(pattern: string, flags: string): RegExp | null {
  const source = pattern
    .replace(/[\\^$.+(){}|]/g, "\\$&")
    .replace(/\[!/g, "[^")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  try {
    return new RegExp(`^${source}$`, flags);
  } catch {
    return null;
  }
}
