import { sayOnStderr } from "../base/descriptors.ts";
import type { Home } from "../disk/home.ts";
import { listFolder } from "../disk/list-folder.ts";
import { endOrphans } from "./orphans.ts";

/** What a core does when there is time: ends what dead cores left, and says so. Errors stay for whoever inspects. */
export async function endLeftBehind(home: Home): Promise<void> {
  const records = listFolder(home.inFlight, ".json");
  if (records.ok && records.value.length === 0) return;
  const ended = await endOrphans(home);
  for (const one of ended.terminations) {
    if (one.signal !== "sent") continue;
    const birth = one.hookBirthIdentity ?? "unknown";
    sayOnStderr(`tama: ended process ${one.pid}, left behind by a core that is gone (birth ${birth})`);
  }
}
