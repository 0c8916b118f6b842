import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClaudeRig } from "../../clients/claude-rig.ts";

/** The lines of every session's log of a rig, in the order they were written; `agent` = a subagent's own. */
export interface LoggedLine {
  readonly event: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly refusal?: string;
  readonly what?: string;
}

export function loggedBy({ world }: ClaudeRig, whose: "main" | "sub" = "main"): readonly LoggedLine[] {
  const folder = join(world.home, "log");
  const names = readdirSync(folder).filter((name) => name.includes("~") === (whose === "sub"));
  return names.flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): LoggedLine => JSON.parse(line)),
  );
}
