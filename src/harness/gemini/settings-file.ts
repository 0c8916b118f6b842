import { join } from "node:path";
import type { Machine } from "../harness.ts";

/** The folder Gemini keeps everything in. */
export function geminiHome({ environment, home }: Pick<Machine, "environment" | "home">): string {
  return join(environment["GEMINI_CLI_HOME"] || home, ".gemini");
}

/** Settings that keep Gemini from running Tama's hooks, by name; empty = none. `settings` is what the file holds. */
export function switchedOff(settings: Readonly<Record<string, unknown>>, hookName: string): readonly string[] {
  const config = settings["hooksConfig"];
  if (typeof config !== "object" || config === null) return [];
  const disabled: unknown = Reflect.get(config, "disabled");
  return [
    ...(Reflect.get(config, "enabled") === false ? ['"hooksConfig.enabled": false'] : []),
    ...(Array.isArray(disabled) && disabled.includes(hookName) ? [`"${hookName}" under hooksConfig.disabled`] : []),
  ];
}
