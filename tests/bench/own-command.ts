import { inTurn, type Row, rowOf, timed } from "./figures.ts";
import { runToEnd } from "./floors.ts";
import { callOf, type Ground, makeBed, settlingCalls, warm } from "./ground.ts";

/** A person's own `sh` hook under supervision, beside the same script started bare with the same event. */
export async function ownCommand(ground: Ground): Promise<readonly Row[]> {
  const body = 'event=$(cat)\ncase "$event" in *forbidden*) echo "BLOCKED" >&2; exit 2 ;; esac';
  const bed = await makeBed(ground, (world) => [
    { id: "bench-guard", program: { command: [world.script("guard.sh", body)] } },
  ]);
  const { world, core } = bed;
  let number = 0;
  const supervised = async (): Promise<number> => {
    const { call, result } = callOf({ session: "s", number: ++number, cwd: world.root });
    const took = await timed(() => core.dispatch("tool_call", call));
    await core.dispatch("tool_result", result);
    return took;
  };
  const stdin = `${JSON.stringify(callOf({ session: "s", number: 0, cwd: world.root }).call)}\n`;
  const bare = () => runToEnd([`${world.root}/guard.sh`], { environment: world.environment, cwd: world.root, stdin });
  try {
    for (let settling = 0; settling < settlingCalls; settling++) {
      await supervised();
      await warm(world, 1);
    }
    const samples = await inTurn(ground.rounds, supervised, bare, () => warm(world, 1));
    return [
      rowOf({ name: "own command hook (sh), supervised", beside: "the same script, started bare", samples, times: 2 }),
    ];
  } finally {
    await bed.close();
  }
}
