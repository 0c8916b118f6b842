import { quotedWord } from "../base/quoted-word.ts";
import { type Home, unfitHome } from "../disk/home.ts";

/** The ways out of the core's own faults, each a line of its own that a person can paste. A test follows every one literally. */

/** A record that cannot be read is never taken for an empty one; only a person may say that it is to be. */
export function movedAside(record: string): string {
  return `\nThe operator repairs it, or moves it aside: ${moving(record)}`;
}

/** Why no hook may be started from this home, with the way out, or null: whose folder it is decides whose hooks run (contract 3.4). */
export function unfitToUse(home: Home): string | null {
  const unfit = unfitHome(home);
  return unfit === null ? null : `${unfit.cause}${movedAside(unfit.path)}`;
}

/** Without a registry nothing is declared, and a session that ran under hooks goes on only once it is said what holds. */
export function registryMovedAside(registry: string): string {
  return `\nThe operator repairs it, or moves it aside: ${moving(registry)}\n${declaredAnew}`;
}

export function registryGone(hooks: readonly string[]): string {
  return `registry.json is gone\nThis session ran under ${hooks.join(", ")}.\n${declaredAnew}`;
}

const declaredAnew =
  "Then the hooks are declared again: tama hooks declare --file <declaration>\nOr, if they are to be off, that is said: tama hooks withdraw --all";

function moving(record: string): string {
  return `mv ${quotedWord(record)} ${quotedWord(`${record}.broken`)}`;
}
