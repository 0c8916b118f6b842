import { done, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { type Settings, settingsSchema } from "../words/records.ts";

/** TAMA_HOME/settings.json; without one the full rules hold. It decides how strict a rule is, so one that cannot be read is no default. */
export function readSettings(home: Home): Result<Settings> {
  const settings = readRecord(home.settings, settingsSchema);
  return settings.ok ? done(settings.value ?? { repeat: "full" }) : settings;
}
