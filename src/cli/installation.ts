import type { Context } from "./command.ts";

/** Filled in when the harness rooms land. */
export function changeInstallation(
  context: Context,
  what: "install" | "uninstall",
  _harnesses: readonly string[],
  _planOnly: boolean,
): Promise<number> {
  context.err(`${what}: not ready`);
  return Promise.resolve(1);
}
