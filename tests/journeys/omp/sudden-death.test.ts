import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { end, limit, type OmpRig, openOmpRig, succeeded, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const run = (command: string) => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });
// Waits for ever on one call, with a child of its own and one that left the group; lets every other call pass at once.
const slowHook = `case "$(cat)" in *"echo slow"*) ;; *) exit 0;; esac
sleep 100000 &
setsid sleep 100000 &
echo "$$" > "$TAMA_HOME/../hook-started"
wait
`;

async function openWithSlowHook(): Promise<OmpRig> {
  const opened = await openOmpRig(inOrder(run("echo slow"), run("echo quick"), { text: "finished" }));
  rig = opened;
  await opened.declare("slow-hook", slowHook);
  return opened;
}

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "ended with SIGKILL in the middle of a hook, it leaves no process and no unreadable record",
    async () => {
      const opened = await openWithSlowHook();
      const omp = opened.start("be slow");
      await until(() => existsSync(join(opened.tamaHome, "../hook-started")), "the hook's start");
      expect(opened.processes().length).toBeGreaterThan(3);
      end(omp.pid);
      expect((await omp.ended).signal).toBe("SIGKILL");
      await nothingRuns(opened);
      const records = readdirSync(opened.tamaHome, { recursive: true, encoding: "utf8" }).filter((name) =>
        /\.jsonl?$/.test(name),
      );
      expect(records.length).toBeGreaterThan(1);
      for (const name of records) {
        for (const line of recordsIn(join(opened.tamaHome, name))) expect(() => JSON.parse(line)).not.toThrow();
      }
      const status = JSON.parse(succeeded(await opened.tama("hooks", "running", "--json")).stdout);
      expect(status).toEqual({ hooks: [], errors: [] });
    },
    limit,
  );

  test(
    "a core ended with SIGKILL refuses the call it was deciding with the cause, and the next call is decided",
    async () => {
      const opened = await openWithSlowHook();
      const omp = opened.start("be slow");
      await until(() => existsSync(join(opened.tamaHome, "../hook-started")), "the hook's start");
      const core = opened.processes().find(({ command }) => command.includes("run-hook omp --serve"));
      end(core?.pid ?? 0);
      expect(await omp.ended).toMatchObject({ code: 0, stdout: "finished\n" });
      const answers = opened.model.requests.slice(1).map(lastToolAnswer);
      expect(answers[0]).toStartWith(
        "TAMA_HOOK_INFRASTRUCTURE: tama: the core was ended by SIGKILL before it answered",
      );
      expect(answers[1]).toStartWith("quick");
      await nothingRuns(opened);
    },
    limit,
  );

  test(
    "a hook that never answers holds its call, not the person: an interrupt ends OMP, and every process of the hook",
    async () => {
      const opened = await openWithSlowHook();
      const omp = opened.start("be slow");
      await until(() => existsSync(join(opened.tamaHome, "../hook-started")), "the hook's start");
      process.kill(omp.pid, "SIGINT");
      expect((await omp.ended).code).toBe(130);
      await nothingRuns(opened);
      expect(opened.model.requests.length).toBe(1);
    },
    limit,
  );
});

async function nothingRuns(opened: OmpRig): Promise<void> {
  const left = (): string => JSON.stringify(opened.processes());
  await until(() => left() === "[]", "the end of every process").catch((cause) => {
    throw new Error(`${cause.message}; there are ${left()}`);
  });
}

/** A JSON file is one record; a log and a birth record hold one a line. */
function recordsIn(path: string): string[] {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".jsonl") || path.includes("/in-flight/")
    ? text.split("\n").filter((line) => line !== "")
    : [text];
}
