import { expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit } from "../../clients/agent-rig.ts";
import { noMounts, readOnly } from "../read-only-folder.ts";
import { declareHook } from "../tama-command.ts";
import { inTurn, type OpenRig, type StoryAgent, type StoryRig, storiesOf } from "./story-agent.ts";

interface Broken {
  /** Done when the model is asked first: the session and the prompt have passed, the call is what meets the damage. */
  readonly breakIt?: (rig: StoryRig, hook: string) => void;
  readonly under?: (tamaHome: string) => readonly string[];
}

/** What the model is told of a call with one hook declared, which would pass it. The call must not have run. */
async function toldWhen({ open, current, close }: OpenRig, { breakIt = () => {}, under }: Broken): Promise<string> {
  await close();
  const model = inTurn({ shell: "touch ran" }, { text: "I cannot go on" });
  let hook = "";
  const rig = await open({
    model: (number) => {
      const opened = current();
      if (opened !== null && number === 0) breakIt(opened, hook);
      return model(number);
    },
    ...(under === undefined ? {} : { under }),
  });
  hook = rig.world.script("passes", "cat >/dev/null");
  await declareHook(rig.world, { id: "passes-all", command: [hook] });
  await rig.start("touch it").ended;
  expect(existsSync(join(rig.work, "ran"))).toBe(false);
  return rig.told()[0] ?? "nothing";
}

/** What is broken around Tama keeps the tool from running. */
export function nothingFailsOpenIn(agent: StoryAgent): void {
  storiesOf(agent, (stage) => {
    test(
      "the same session runs the tool when nothing is broken",
      async () => {
        const rig = await stage.open({ model: inTurn({ shell: "touch ran" }, { text: "finished" }) });
        await declareHook(rig.world, { id: "passes-all", command: [rig.world.script("passes", "cat >/dev/null")] });
        await rig.start("touch it").ended;
        expect(existsSync(join(rig.work, "ran"))).toBe(true);
      },
      limit,
    );

    test(
      "with the hook's program missing, the registry broken or gone, or TAMA_HOME below a file, the tool does not run",
      async () => {
        const registry = ({ world }: StoryRig): string => join(world.home, "registry.json");
        const missing = await toldWhen(stage, { breakIt: (_rig, hook) => rmSync(hook) });
        expect(missing).toStartWith(`${agent.refused}TAMA_HOOK_INFRASTRUCTURE: passes-all: `);
        const broken = await toldWhen(stage, { breakIt: (one) => writeFileSync(registry(one), '{"declared":[') });
        expect(broken).toContain("TAMA_HOOK_INFRASTRUCTURE: cannot decode ");
        const gone = await toldWhen(stage, { breakIt: (one) => rmSync(registry(one)) });
        expect(gone).toContain("TAMA_HOOK_INFRASTRUCTURE: registry.json is gone");
        const file = await toldWhen(stage, {
          breakIt: ({ world }) => {
            rmSync(world.home, { recursive: true });
            writeFileSync(world.home, "");
          },
        });
        expect(file).toContain("TAMA_HOOK_INFRASTRUCTURE: ");
      },
      limit,
    );

    test.skipIf(noMounts !== null)(
      `with TAMA_HOME unwritable the tool does not run${noMounts === null ? "" : ` (skipped: ${noMounts})`}`,
      async () => {
        const told = await toldWhen(stage, { under: readOnly });
        expect(told).toStartWith(agent.refused);
        expect(told).toContain("TAMA_HOOK_INFRASTRUCTURE: passes-all: ");
      },
      limit,
    );

    test.skipIf(noMounts !== null)(
      `with TAMA_HOME unwritable an ending is refused, and not for ever${noMounts === null ? "" : ` (skipped: ${noMounts})`}`,
      async () => {
        const rig = await stage.open({ model: (number) => ({ text: `answer ${number}` }), under: readOnly });
        const passes = rig.world.script("passes", "cat >/dev/null");
        await declareHook(rig.world, { id: "passes-all", command: [passes], on: [{ event: "stop" }] });
        await rig.start("finish").ended;
        expect(rig.requests()[1]).toContain("TAMA_HOOK_INFRASTRUCTURE: passes-all: ");
        expect(rig.requests().length).toBeLessThan(4);
      },
      limit,
    );
  });
}
