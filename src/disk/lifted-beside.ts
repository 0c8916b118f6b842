import { basename, dirname, join } from "node:path";
import { type Lifted, startedCallsSchema } from "../words/kept-calls.ts";
import type { Home } from "./home.ts";
import { listFolder } from "./list-folder.ts";
import { readRecord } from "./read-record.ts";

/**
 * What each of a session's other agents last changed or heard, one entry an agent. Asked only for a call that is about to be held, since it
 * lists a folder. What cannot be read says nothing and the call stays held. A subagent whose session has a name too long for a file is not
 * found by it.
 */
export function liftedBeside(home: Home, session: string, agentId: string | null): readonly Lifted[] {
  const main = home.startedCalls(session, null);
  const own = basename(home.startedCalls(session, agentId));
  const stem = basename(main).slice(0, -".json".length);
  const names = listFolder(dirname(main), ".json");
  const isOfSession = (name: string): boolean =>
    name === `${stem}.json` || (name.startsWith(`${stem}~`) && !name.startsWith(`${stem}~~`));
  const beside = (names.ok ? names.value : []).filter((name) => name !== own && isOfSession(name));
  return beside.flatMap((name) => {
    const record = readRecord(join(dirname(main), name), startedCallsSchema);
    return record.ok && record.value?.lifted !== undefined ? [record.value.lifted] : [];
  });
}
