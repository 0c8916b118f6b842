import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { end, limit, succeeded } from "../../clients/agent-rig.ts";
import { commandOf, runs } from "../process-table.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";
import { inTurn, type StoryAgent, type StoryRig, storiesOf } from "./story-agent.ts";

/** What is left of a session whose agent ends from one moment to the next. */
export function endsOf(agent: StoryAgent): void {
  storiesOf(agent, ({ open }) => {
    test(
      "killed with -9 in the middle of a hook it leaves no process and no unreadable record",
      async () => {
        const rig = await open({ model: inTurn({ shell: "touch ran" }) });
        const { world, processes } = rig;
        const stubborn = await declareStubborn(rig);
        const started = rig.start("touch it");
        await until("both processes of the hook", () => stubborn().length === 2);
        expect(stubborn().every(runs)).toBe(true);
        const program = processes().filter(({ pid }) => agent.program.test(commandOf(pid)));
        expect(program.length).toBeGreaterThan(0);
        for (const { pid } of program) end(pid);
        await started.ended;
        await until("no process of this world", () => processes().length === 0);
        expect(stubborn().some(runs)).toBe(false);
        expect(readdirSync(join(world.home, "in-flight"))).toEqual([]);
        expect(records(world.home).length).toBeGreaterThan(0);
        expect(JSON.parse(succeeded(await rig.tama("hooks", "running", "--json")).stdout)).toEqual({
          hooks: [],
          errors: [],
        });
        expect(existsSync(join(rig.work, "ran"))).toBe(false);
      },
      limit,
    );
  });
}

/** A hook that never answers, ignores SIGTERM, and starts one more process that leaves its group and session. */
async function declareStubborn({ world }: StoryRig): Promise<() => readonly number[]> {
  const hook = world.script(
    "stubborn",
    `trap '' TERM
cat >/dev/null
setsid sh -c 'trap "" TERM; echo $$ > "$0/stray"; while :; do sleep 1; done' "${world.root}" &
echo $$ > "${world.root}/hook"
while :; do sleep 1; done`,
  );
  await declareHook(world, { id: "stubborn", command: [hook] });
  return () =>
    ["hook", "stray"].flatMap((name) => {
      const file = join(world.root, name);
      const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
      return pid > 0 ? [pid] : [];
    });
}

/** Every JSON record below TAMA_HOME, decoded; throws where one does not decode. */
function records(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /\.jsonl?$/.test(path) && statSync(path).isFile())
    .flatMap((path) => {
      const text = readFileSync(path, "utf8").trimEnd();
      return path.endsWith(".json") ? [JSON.parse(text)] : text.split("\n").map((line) => JSON.parse(line));
    });
}
