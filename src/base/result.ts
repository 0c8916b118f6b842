/** The outcome of work that can fail for a reason outside the program: a value, or the cause in words a person can act on. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly cause: string };

export function done<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failed(cause: string): { readonly ok: false; readonly cause: string } {
  return { ok: false, cause };
}

/** The words of anything thrown, with its system error code first when it has one: `ENOENT: no such file or directory, open '…'`. */
export function causeOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system error code of anything thrown (`ENOENT`), or null. */
export function codeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  return typeof thrown.code === "string" ? thrown.code : null;
}
