import { sayOnStderr } from "../base/descriptors.ts";
import type { Home } from "../disk/home.ts";
import { listFolder } from "../disk/list-folder.ts";
import { looksHeld } from "../disk/locked-file.ts";
import { sweepTemporaries } from "../disk/replace-file.ts";
import { endOrphansUnlessInspected } from "./orphans.ts";

/**
 * What a core does when there is time: ends what dead cores left, and says so. Errors stay for whoever inspects.
 *
 * @returns false while another inspection is under way
 */
export async function endLeftBehind(home: Home): Promise<boolean> {
  const records = listFolder(home.inFlight, ".json");
  if (records.ok && records.value.length === 0) {
    sweepTemporaries(home.inFlight, looksHeld);
    return true;
  }
  const ended = await endOrphansUnlessInspected(home);
  if (ended === null) return false;
  for (const one of ended.terminations) {
    if (one.signal !== "sent") continue;
    const birth = one.hookBirthIdentity ?? "unknown";
    sayOnStderr(`tama: ended process ${one.pid}, left behind by a core that is gone (birth ${birth})`);
  }
  return true;
}
