import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { end } from "../clients/agent-rig.ts";
import { commandOf, processesWith } from "../journeys/process-table.ts";
import { type CommandEnd, declareHook, tama } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import type { Asked, InstalledCommand } from "./claude-code-command.ts";
import { chance, patience, scaled, verdict } from "./fault-run.ts";

// Fault 11 of the quality page: one hook is declared that would pass every call, and something breaks around the command line that an agent
// starts. The answer must be a refusal in the one form that this agent takes for one.

/** An agent whose installed command line is asked about a call without the agent. */
export interface AskedAgent {
  /** The word of `tama run-hook`. */
  readonly harness: string;
  readonly install: () => Promise<InstalledCommand>;
  readonly ask: (installed: InstalledCommand, how?: Asked) => Promise<CommandEnd>;
  /** The reason of a refusal in the agent's closed form; throws what came instead. */
  readonly refusedFor: (ended: CommandEnd) => string;
  /** What it is told where the call passes. */
  readonly passes: string;
}

/** While a hook waits that never answers. */
export interface Waiting {
  readonly installed: () => InstalledCommand;
  /** Resolves when the hook of the call that was just asked about waits. */
  readonly waits: () => Promise<void>;
  /** The mark that a hook which waits left, taken away. */
  readonly forget: () => void;
  readonly nothingLeft: () => Promise<boolean>;
}

const full = 100;
const noMounts = Bun.spawnSync(["unshare", "--mount", "true"]).success ? null : "no mount namespace can be made here";

export function brokenSurroundings(agent: AskedAgent, more?: (waiting: Waiting) => void): void {
  describe(`${agent.harness} while anything breaks`, () => {
    const { oneOf, whole } = chance(`fault 11, ${agent.harness}`);
    let installed: InstalledCommand;
    let registry = "";
    beforeAll(async () => {
      installed = await agent.install();
      const { world } = installed;
      await declareHook(world, { id: "passes", command: [world.script("passes", "cat >/dev/null")] });
      registry = join(world.home, "registry.json");
      copyFileSync(registry, join(world.root, "registry.whole"));
    });
    afterAll(() => {
      for (const { pid } of processesWith(installed.world.root)) end(pid);
      installed.world.remove();
    });

    function mend(): void {
      rmSync(registry, { recursive: true, force: true });
      copyFileSync(join(installed.world.root, "registry.whole"), registry);
    }

    /** Runs one kind of damage at its full count by scale, each time as a refusal; tells it in one line. */
    async function each(what: string, once: () => Promise<string>): Promise<void> {
      const count = scaled(full);
      const reasons = new Map<string, number>();
      for (let round = 0; round < count; round++) {
        const reason = await once();
        expect(reason).toStartWith("TAMA_HOOK_INFRASTRUCTURE: ");
        const kind = (reason.split(": ")[1] ?? "").replace(/ \/\S+/, "");
        reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
      }
      verdict(
        11,
        count,
        `${agent.harness}: ${what}`,
        Object.fromEntries([...reasons].map(([kind, number]) => [`refused by ${kind}`, number])),
      );
    }

    test("nothing broken: the call passes with nothing said", async () => {
      expect(await agent.ask(installed)).toMatchObject({ code: 0, stdout: agent.passes, stderr: "" });
    });

    test.skipIf(noMounts !== null)(
      `the home cannot be written${noMounts === null ? "" : ` (skipped: ${noMounts})`}`,
      async () => {
        const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
        const under = ["unshare", "--mount", "sh", "-c", script, installed.world.home];
        await each("home unwritable", async () => agent.refusedFor(await agent.ask(installed, { under })));
      },
      patience,
    );

    test.skipIf(noMounts !== null)(
      `the disk is full${noMounts === null ? "" : ` (skipped: ${noMounts})`}`,
      async () => {
        // A small disk in the home's place, with what the home holds, filled to the last byte.
        const script = `cp -a "$0" "$0.copy$$" && mount -t tmpfs -o size=256k tmpfs "$0" && cp -a "$0.copy$$/." "$0" && rm -r "$0.copy$$"
    dd if=/dev/zero of="$0/filler" bs=4k 2>/dev/null; exec "$@"`;
        const under = ["unshare", "--mount", "sh", "-c", script, installed.world.home];
        await each("disk full", async () => agent.refusedFor(await agent.ask(installed, { under })));
      },
      patience,
    );

    test(
      "the registry is broken",
      async () => {
        const bytes = readFileSync(registry);
        const damage: readonly (() => void)[] = [
          () => writeFileSync(registry, bytes.subarray(0, 1 + whole(bytes.length - 2))),
          () => writeFileSync(registry, Buffer.from(Array.from({ length: 1 + whole(400) }, () => whole(256)))),
          () =>
            writeFileSync(
              registry,
              oneOf(["", "null", "[]", '{"declared":7}', '{"declared":[{"id":"x"}]}', '"', "{}}"]),
            ),
          () => {
            rmSync(registry);
            mkdirSync(registry);
          },
        ];
        await each("registry broken", async () => {
          oneOf(damage)();
          const ended = await agent.ask(installed);
          mend();
          return agent.refusedFor(ended);
        });
      },
      patience,
    );

    test(
      "the hook's program is missing, or cannot be run",
      async () => {
        const hook = join(installed.world.root, "passes");
        const text = readFileSync(hook);
        await each("hook missing", async () => {
          oneOf([
            () => rmSync(hook),
            () => chmodSync(hook, 0o644),
            () => writeFileSync(hook, "#!/nowhere/interpreter\n"),
            () => writeFileSync(hook, Buffer.from([0x7f, 0x45, 0x4c, 0x46, whole(256)])),
          ])();
          const ended = await agent.ask(installed);
          rmSync(hook, { force: true });
          writeFileSync(hook, text, { mode: 0o755 });
          return agent.refusedFor(ended);
        });
      },
      patience,
    );

    describe("while a hook waits", () => {
      beforeAll(async () => {
        const { world } = installed;
        const body = `cat >/dev/null; echo $$ > "${world.root}/waiting.$$"; while :; do sleep 1; done`;
        await declareHook(world, { id: "waits", command: [world.script("waits", body)] });
      });
      afterAll(async () => {
        await tama(installed.world, ["hooks", "withdraw", "waits"]);
      });

      const waiting = (): string | undefined =>
        readdirSync(installed.world.root).find((name) => name.startsWith("waiting."));
      const waits = async (): Promise<void> => {
        const name = await until("the hook that waits", waiting);
        rmSync(join(installed.world.root, name));
      };
      const forget = (): void => {
        const name = waiting();
        if (name !== undefined) rmSync(join(installed.world.root, name));
      };
      /** Of this world, by its command line. */
      const pidOf = (command: RegExp): number =>
        processesWith(installed.world.root).find(({ pid }) => command.test(commandOf(pid)))?.pid ??
        expect.unreachable();
      const nothingLeft = (): Promise<boolean> =>
        until("no process of this world", () => processesWith(installed.world.root).length === 0);

      test(
        "the hook's supervisor is killed",
        async () => {
          await each("supervisor killed in the middle", async () => {
            const ended = await agent.ask(installed, {
              meanwhile: async () => {
                await waits();
                // Every supervisor: which of them owns the hook that waits is not told from outside.
                for (const { pid } of processesWith(installed.world.root))
                  if (/^\S*tama owned-hook/.test(commandOf(pid))) end(pid);
              },
            });
            await nothingLeft();
            return agent.refusedFor(ended);
          });
        },
        patience,
      );

      test(
        "SIGTERM comes to Tama",
        async () => {
          await each("SIGTERM to Tama in the middle", async () => {
            const ended = await agent.ask(installed, {
              meanwhile: async () => {
                await waits();
                process.kill(pidOf(new RegExp(`^\\S*tama run-hook ${agent.harness}`)), "SIGTERM");
              },
            });
            await nothingLeft();
            return agent.refusedFor(ended);
          });
        },
        patience,
      );

      more?.({ installed: () => installed, waits, forget, nothingLeft });
    });

    test("after all of it the call passes again, and nothing of it is left", async () => {
      expect(await agent.ask(installed)).toMatchObject({ code: 0, stdout: agent.passes });
      expect(processesWith(installed.world.root)).toEqual([]);
      expect(existsSync(join(installed.world.home, "in-flight"))).toBe(true);
      expect(readdirSync(join(installed.world.home, "in-flight"))).toEqual([]);
    });
  });
}
