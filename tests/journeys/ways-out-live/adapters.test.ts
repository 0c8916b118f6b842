import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import type { Turn } from "../../clients/scripted-anthropic.ts";
import { codex } from "../agents/codex.ts";
import { gemini } from "../agents/gemini.ts";
import { omp } from "../agents/omp.ts";
import { pi } from "../agents/pi.ts";
import { inTurn, type StoryAgent, type StoryRig, storiesOf } from "../agents/story-agent.ts";
import { loggedBy } from "../claude-code/session-log.ts";
import { commandOf } from "../process-table.ts";
import { declareHook, tamaBinary, type World } from "../tama-command.ts";
import { printed } from "./printed.ts";
import { atTerminal } from "./seat.ts";

/** The commands that adapters themselves print, where no core could: each is followed literally, and the agent goes on under Tama, or without. */
let terminal = "";
afterEach(() => {
  if (terminal !== "") rmSync(terminal, { recursive: true, force: true });
  terminal = "";
});

/** A person whose own shell finds a `tama` that is not the one that was taken away. */
async function person({ environment }: World, line: string): Promise<string> {
  if (terminal === "") {
    terminal = mkdtempSync(join(tmpdir(), "tama-terminal-"));
    symlinkSync(resolve(tamaBinary), join(terminal, "tama"));
  }
  const ended = await atTerminal(line, { ...environment, PATH: `${terminal}:${environment["PATH"]}` });
  return ended.stdout;
}

/** A command that a sentence sets in quotes. */
function quoted(told: string, command: RegExp): string {
  const found = new RegExp(`["'](${command.source})["']`).exec(told)?.[1];
  if (found === undefined) throw new Error(`no ${command} is printed in:\n${told}`);
  return found;
}

/** The status that a fault of an adapter names, by the program's own path. */
function statusIn(told: string): string {
  const line = /says what is wrong: (.+? status)\./.exec(told)?.[1];
  if (line === undefined) throw new Error(`no status is printed in:\n${told}`);
  return line;
}

const link = ({ world }: StoryRig): string => join(world.root, ".local/bin/tama");
const ran = ({ work }: StoryRig): boolean => existsSync(join(work, "ran"));
const work = [{ shell: "touch ran" }, { text: "It is tried." }] as const;

/** A session that finds Tama's program gone, from its start or at its first call, and after what the person did, one more. */
function programTakenAway(
  agent: StoryAgent,
  when: "at its start" | "at its first call",
  follow: (rig: StoryRig, told: string) => Promise<void>,
): void {
  storiesOf(agent, ({ open, current }) => {
    test(
      "the program that is gone: what is printed brings it back, and the call runs",
      async () => {
        let asked = 0;
        let again = false;
        const rig = await open({
          model: () => {
            const opened = current();
            if (!again && when === "at its first call" && asked === 0 && opened !== null) rmSync(link(opened));
            return inTurn(...work)(asked++);
          },
          withProgram: true,
        });
        if (when === "at its start") rmSync(link(rig));
        const { stderr } = await rig.start("touch it").ended;
        expect(ran(rig)).toBe(false);
        // Where not even the prompt reaches the model, its person is told.
        const told = rig.told()[0] ?? stderr;
        expect(told).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
        await follow(rig, told);
        asked = 0;
        again = true;
        await rig.start("touch it").ended;
        expect(ran(rig)).toBe(true);
      },
      limit,
    );
  });
}

for (const agent of [codex, gemini])
  programTakenAway(agent, "at its first call", async ({ world }, told) => {
    expect(told).toContain("tama doctor says why");
    // It exits 1 where it found something.
    const says = await person(world, `${printed(told, "tama doctor").slice(0, "tama doctor".length)} || true`);
    expect(says).toContain("which agents start, is not there");
    await person(world, "tama install");
  });

for (const agent of [omp, pi]) {
  // A core that runs keeps its program, so here it is gone before.
  programTakenAway(agent, "at its start", async ({ world }, told) => {
    const line = printed(told, "tama install ");
    expect(line).toBe(`tama install ${agent === omp ? "omp" : "pi"}`);
    await person(world, line);
  });

  storiesOf(agent, ({ open, current }) => {
    test(
      "a core that died while it decided: the printed status runs, and the next call is judged anew",
      async () => {
        let asked = 0;
        const rig = await open({
          model: () => {
            const opened = current();
            const core = opened?.processes().find(({ pid }) => isCore(pid));
            if (asked === 0 && opened !== null && core !== undefined)
              writeFileSync(join(opened.world.root, "core"), String(core.pid));
            return inTurn(work[0], work[0], work[1])(asked++);
          },
        });
        const file = join(rig.world.root, "core");
        // Only the first call's hook finds the core's number; it is ended with its core.
        const once = `core=$(cat ${file}) && rm ${file} && kill -9 $core && exec sleep 600; true`;
        await declareHook(rig.world, { id: "ends-its-core", command: [rig.world.script("ends-its-core", once)] });
        await rig.start("touch it").ended;
        const [told = "", next = ""] = rig.told();
        expect(told).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
        expect(await person(rig.world, statusIn(told))).toContain("ends-its-core");
        expect(next).not.toContain("TAMA_HOOK_INFRASTRUCTURE");
        expect(ran(rig)).toBe(true);
      },
      limit,
    );
  });
}

function isCore(pid: number): boolean {
  return commandOf(pid).includes("--serve");
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  let rig: ClaudeRig | null = null;
  afterEach(async () => {
    await rig?.close();
    rig = null;
  });
  const bash = (command: string): Turn => ({ tools: [{ name: "Bash", input: { command, description: "Do it" } }] });

  test(
    "a settings change that is refused: the printed uninstall takes Tama out",
    async () => {
      const changes = `echo '{"disableAllHooks":true}' > .claude/settings.local.json`;
      const refused = (): string | undefined =>
        rig === null ? undefined : loggedBy(rig).find(({ event }) => event === "config_change")?.refusal;
      let asked = 0;
      rig = await openClaudeRig({
        script: () =>
          asked++ === 0
            ? bash(changes)
            : refused() === undefined && asked < 100
              ? bash(`echo ${asked}`)
              : { text: "finished" },
      });
      mkdirSync(join(rig.work, ".claude"));
      await rig.start("change it").ended;
      const why = await rig.tama("why", refused() ?? "");
      await person(rig.world, printed(why.stdout, "tama uninstall "));
      expect(existsSync(rig.settings) ? readFileSync(rig.settings, "utf8") : "").not.toContain("run-hook");
    },
    limit,
  );

  test(
    "the plugin without its program: the printed install brings it, and the call runs",
    async () => {
      let asked = 0;
      rig = await openClaudeRig({
        script: () => (asked++ % 2 === 0 ? bash("touch ran") : { text: "finished" }),
        install: false,
      });
      const root = join(import.meta.dir, "../../..");
      const plugin = async (...words: readonly string[]): Promise<string> =>
        person(rig?.world as World, `cd ${rig?.work} && ${rig?.claude} plugin ${words.join(" ")}`);
      await plugin("marketplace", "add", root);
      await plugin("install", "tama@tama", "--scope", "user");
      const told = (await rig.start("touch it").ended).stdout;
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
      await person(rig.world, quoted(told, /tama install/));
      asked = 0;
      await rig.start("touch it").ended;
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
    },
    limit,
  );
});
