import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { declareHook, type World } from "./tama-command.ts";

/**
 * Declares a hook that never answers, ignores SIGTERM, and starts one more process that leaves its group and session. Returns a look at the
 * pids of both.
 */
export async function declareStubborn(
  world: World,
  on: readonly object[] = [{ event: "tool_call", tools: ["*"] }],
): Promise<() => readonly number[]> {
  const hook = world.script(
    "stubborn",
    `trap '' TERM
cat >/dev/null
setsid sh -c 'trap "" TERM; echo $$ > "$0/stray"; while :; do sleep 1; done' "${world.root}" &
echo $$ > "${world.root}/hook"
while :; do sleep 1; done`,
  );
  await declareHook(world, { id: "stubborn", command: [hook], on });
  return () =>
    ["hook", "stray"].flatMap((name) => {
      const file = join(world.root, name);
      const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
      return pid > 0 ? [pid] : [];
    });
}
