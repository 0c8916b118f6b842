import { sayOnStderr } from "../base/descriptors.ts";
import type { Home } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { type Settings, settingsSchema } from "../words/records.ts";

/** TAMA_HOME/settings.json. One that cannot be read is said on stderr and the defaults hold, which are the tool's full rules. */
export function readSettings(home: Home): Settings {
  const settings = readRecord(home.settings, settingsSchema);
  if (settings.ok) return settings.value ?? { repeat: "full" };
  sayOnStderr(`tama: ${settings.cause}`);
  return { repeat: "full" };
}
