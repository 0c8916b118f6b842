import { afterEach, describe, expect, test } from "bun:test";
import { limit, type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const run = (command: string) => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });

async function waitingCall(): Promise<{ opened: OmpRig; omp: ReturnType<OmpRig["rpc"]>; hookRuns: () => boolean }> {
  const opened = await openOmpRig(inOrder(run("touch never"), { text: "the next answer" }));
  rig = opened;
  const gate = await opened.hold("slow-gate");
  const omp = opened.rpc();
  await until(() => omp.reported().includes("ready"), "OMP's readiness");
  omp.send({ id: "1", type: "prompt", message: "do it" });
  await until(() => gate.asked().length === 1, "the call");
  const hookRuns = (): boolean => opened.processes().some(({ command }) => command.includes("slow-gate.sh"));
  expect(hookRuns()).toBe(true);
  return { opened, omp, hookRuns };
}

// Over RPC OMP gives a call's handler no signal at all: the run's end, a new prompt and the shutdown stand for it.
describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  for (const [what, command] of [
    ["an abort", { id: "2", type: "abort" }],
    ["a prompt that takes the turn", { id: "2", type: "abort_and_prompt", message: "rather this" }],
    ["another session", { id: "2", type: "new_session" }],
  ] as const) {
    test(
      `over RPC ${what} gives up the call that is being decided, and its hook is ended`,
      async () => {
        const { opened, omp, hookRuns } = await waitingCall();
        omp.send(command);
        await until(() => !hookRuns(), "the hook's end");
        await Bun.file(`${opened.work}/never`)
          .exists()
          .then((exists) => expect(exists).toBe(false));
        expect((await omp.end()).code).toBe(0);
        await until(() => opened.processes().length === 0, "the end of every process");
      },
      limit,
    );
  }

  test(
    "over RPC the end of OMP gives up the call that is being decided",
    async () => {
      const { opened, omp } = await waitingCall();
      expect((await omp.end()).code).toBe(0);
      await until(() => opened.processes().length === 0, "the end of every process");
    },
    limit,
  );
});
