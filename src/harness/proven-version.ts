import type { Machine } from "./harness.ts";

/** An agent as it was measured. */
export interface Proven {
  /** Its name as a person knows it, and its program. */
  readonly name: string;
  readonly program: string;
  /** The version every statement about it in its room was measured with. */
  readonly version: string;
  /** What an older one may do, said behind the version. */
  readonly older: string;
}

/** What installing says of an agent that is not there, or is older than the one that was measured. */
export async function notesOnVersion(
  machine: Machine,
  { name, program, version: measured, older }: Proven,
): Promise<readonly string[]> {
  const path = machine.which(program);
  if (path === null) return [`No ${program} is on PATH; Tama answers it once it is there.`];
  const asked = await machine.run([path, "--version"]);
  const version = asked.ok ? /\d+\.\d+\.\d+/.exec(asked.value.stdout)?.[0] : undefined;
  if (version === undefined || Bun.semver.order(version, measured) >= 0) return [];
  return [`This ${name} is ${version}; Tama was proven with ${measured}${older}: update it.`];
}
