import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type GeminiRig, openGeminiRig } from "../../clients/gemini-rig.ts";
import { inOrder, shell, toldOutputs } from "../../clients/scripted-gemini.ts";
import { declareHook } from "../tama-command.ts";

let rig: GeminiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** A mount namespace in which a folder is read-only, which stops root too. */
const readOnly = (folder: string): readonly string[] => [
  "unshare",
  "--mount",
  "sh",
  "-c",
  'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
  folder,
];
const noMounts = Bun.spawnSync([...readOnly("/tmp"), "true"]).success ? null : "no mount namespace can be made here";

interface Broken {
  /** Done when the model is asked first: the session and the prompt have passed, the call is what meets the damage. */
  readonly breakIt?: (rig: GeminiRig, hook: string) => void;
  readonly under?: (tamaHome: string) => readonly string[];
}

/** What the model is told of a call with one hook declared, which would pass it. The call must not have run. */
async function toldWhen({ breakIt = () => {}, under }: Broken): Promise<string> {
  const script = inOrder(shell("touch ran"), { text: "I cannot go on" });
  let hook = "";
  const opened = await openGeminiRig({
    script: (request, number) => {
      if (rig !== null && number === 0) breakIt(rig, hook);
      return script(request, number);
    },
    ...(under === undefined ? {} : { under }),
  });
  rig = opened;
  hook = opened.world.script("passes", "cat >/dev/null");
  await declareHook(opened.world, { id: "passes-all", command: [hook] });
  await opened.start("touch it").ended;
  expect(existsSync(join(opened.work, "ran"))).toBe(false);
  return toldOutputs(opened.model)[0] ?? "nothing";
}

const refused = "Tool execution blocked: ";

describe.skipIf(unavailable !== null)(`Gemini CLI${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "the same session runs the tool when nothing is broken",
    async () => {
      rig = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "finished" }) });
      await declareHook(rig.world, { id: "passes-all", command: [rig.world.script("passes", "cat >/dev/null")] });
      await rig.start("touch it").ended;
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
    },
    limit,
  );

  test(
    "with the hook's program missing, the registry broken or gone, or TAMA_HOME below a file, the tool does not run",
    async () => {
      const registry = ({ world }: GeminiRig): string => join(world.home, "registry.json");
      const missing = await toldWhen({ breakIt: (_rig, hook) => rmSync(hook) });
      expect(missing).toStartWith(`${refused}TAMA_HOOK_INFRASTRUCTURE: passes-all: `);
      await rig?.close();
      const broken = await toldWhen({ breakIt: (one) => writeFileSync(registry(one), '{"declared":[') });
      expect(broken).toContain("TAMA_HOOK_INFRASTRUCTURE: cannot decode ");
      await rig?.close();
      const gone = await toldWhen({ breakIt: (one) => rmSync(registry(one)) });
      expect(gone).toContain("TAMA_HOOK_INFRASTRUCTURE: registry.json is gone");
      await rig?.close();
      const file = await toldWhen({
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
      const told = await toldWhen({ under: readOnly });
      expect(told).toStartWith(refused);
      expect(told).toContain("TAMA_HOOK_INFRASTRUCTURE: passes-all: ");
    },
    limit,
  );

  test(
    "with Tama's own binary gone, or killed, the registered line itself refuses the tool and the prompt, and lets a turn end",
    async () => {
      // A link stands where the harness looks, so that the program can be taken away under an unchanged, trusted line.
      const script = inOrder(shell("touch ran"), { text: "I cannot go on" });
      const opened = await openGeminiRig({
        script: (request, number) => {
          if (number === 0) rmSync(join(opened.world.root, ".local/bin/tama"));
          return script(request, number);
        },
        install: [],
      });
      rig = opened;
      const first = await opened.start("touch it").ended;
      expect(first.code).toBe(0);
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
      expect(toldOutputs(opened.model)[0]).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
      expect(opened.model.requests).toHaveLength(2);
      await opened.start("again").ended;
      expect(opened.model.requests).toHaveLength(2);
      symlinkSync(opened.world.script("dies", "kill -9 $$"), join(opened.world.root, ".local/bin/tama"));
      await opened.start("again").ended;
      expect(opened.model.requests).toHaveLength(2);
    },
    limit,
  );
});
