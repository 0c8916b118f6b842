import { lstatSync } from "node:fs";

/** Whether something has this name, a link that leads nowhere included. What cannot be looked at counts as there: opening it says why. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
