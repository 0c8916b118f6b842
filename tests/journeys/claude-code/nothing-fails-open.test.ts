import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig, writeSettings } from "../../clients/claude-rig.ts";
import { inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { noMounts, readOnly } from "../read-only-folder.ts";
import { declareHook } from "../tama-command.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const touch: Turn = { tools: [{ name: "Bash", input: { command: "touch ran", description: "Touch a file" } }] };

interface Broken {
  /** Done when the model is asked first: the session and the prompt have passed, the call is what meets the damage. */
  readonly breakIt?: (rig: ClaudeRig, hook: string) => void;
  readonly under?: (tamaHome: string) => readonly string[];
}

/** What the model is told of a call with one hook declared, which would pass it. The call must not have run. */
async function toldWhen({ breakIt = () => {}, under }: Broken): Promise<string> {
  const script = inOrder(touch, { text: "I cannot go on" });
  let hook = "";
  const opened = await openClaudeRig({
    script: (request) => {
      if (rig?.model.requests.length === 1) breakIt(rig, hook);
      return script(request);
    },
    ...(under === undefined ? {} : { under }),
  });
  rig = opened;
  hook = opened.world.script("passes", "cat >/dev/null");
  await declareHook(opened.world, { id: "passes-all", command: [hook] });
  await opened.start("touch it").ended;
  expect(existsSync(join(opened.work, "ran"))).toBe(false);
  const told = toldResults(opened.model)[0];
  expect(told?.isError).toBe(true);
  return told?.text ?? "";
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "the same session runs the tool when nothing is broken",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch, { text: "finished" }) });
      await declareHook(rig.world, { id: "passes-all", command: [rig.world.script("passes", "cat >/dev/null")] });
      await rig.start("touch it").ended;
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
    },
    limit,
  );

  test(
    "with the hook's program missing the tool does not run",
    async () => {
      const told = await toldWhen({ breakIt: (_rig, hook) => rmSync(hook) });
      expect(told).toStartWith("PreToolUse:Bash hook error: TAMA_HOOK_INFRASTRUCTURE: passes-all: ");
    },
    limit,
  );

  test(
    "with the registry broken, or gone, the tool does not run",
    async () => {
      const registry = ({ world }: ClaudeRig): string => join(world.home, "registry.json");
      const broken = await toldWhen({ breakIt: (rig) => writeFileSync(registry(rig), '{"declared":[') });
      expect(broken).toContain("TAMA_HOOK_INFRASTRUCTURE: cannot decode ");
      await rig?.close();
      const gone = await toldWhen({ breakIt: (rig) => rmSync(registry(rig)) });
      expect(gone).toContain("TAMA_HOOK_INFRASTRUCTURE: registry.json is gone");
    },
    limit,
  );

  test(
    "with TAMA_HOME below a file the tool does not run",
    async () => {
      const told = await toldWhen({
        breakIt: ({ world }) => {
          rmSync(world.home, { recursive: true });
          writeFileSync(world.home, "");
        },
      });
      expect(told).toContain("TAMA_HOOK_INFRASTRUCTURE: ");
    },
    limit,
  );

  test.skipIf(noMounts !== null)(
    `with TAMA_HOME unwritable the tool does not run${noMounts === null ? "" : ` (skipped: ${noMounts})`}`,
    async () => {
      const told = await toldWhen({ under: readOnly });
      expect(told).toStartWith("PreToolUse:Bash hook error: TAMA_HOOK_INFRASTRUCTURE: passes-all: ");
      expect(told).toContain("read-only");
    },
    limit,
  );

  test(
    "with Tama's own binary gone no prompt gets through and no tool runs",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch, { text: "finished" }) });
      const text = readFileSync(rig.settings, "utf8");
      const { binary } = rig;
      expect(text).toContain(binary);
      writeSettings(rig, text.replaceAll(binary, "/nowhere/tama"));
      const ended = await rig.start("touch it").ended;
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
      expect(rig.model.requests.length).toBe(0);
      expect(ended.stdout).toContain("/nowhere/tama");
    },
    limit,
  );

  test(
    "with Tama's own binary failing to start in the middle no tool runs",
    async () => {
      // A program of that name that crashes stands for a broken binary.
      rig = await openClaudeRig({ script: inOrder(touch, { text: "I cannot go on" }) });
      const { world, binary } = rig;
      const crashing = join(world.root, "crashing");
      mkdirSync(crashing);
      world.script("crashing/tama", `case "$(cat)" in *'"PreToolUse"'*) echo 'half a JSON {'; exit 1;; esac; exit 0`);
      const text = readFileSync(rig.settings, "utf8");
      writeSettings(rig, text.replaceAll(binary, join(crashing, "tama")));
      await rig.start("touch it").ended;
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
      expect(toldResults(rig.model)[0]?.text).toContain('onFailure is "block"');
    },
    limit,
  );

  test(
    "a fault refuses an ending once and lets it go the second time, so that the answer is not lost",
    async () => {
      let asked = 0;
      rig = await openClaudeRig({
        script: () => {
          if (++asked === 1 && rig !== null) writeFileSync(join(rig.world.home, "registry.json"), "{");
          return { text: `answer ${asked}` };
        },
      });
      expect((await rig.start("just answer").ended).stdout).toBe("answer 2\n");
      expect(JSON.stringify(rig.model.requests[1]?.messages)).toContain("TAMA_HOOK_INFRASTRUCTURE: ");
      expect(rig.model.requests.length).toBe(2);
    },
    limit,
  );
});
