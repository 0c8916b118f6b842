import { inTurn, type Row, rowOf, timed } from "./figures.ts";
import { spawnTrue, spawnTrueAtOnce } from "./floors.ts";
import { callOf, fiveGates, type Ground, makeBed, settlingCalls, warm } from "./ground.ts";

/** One tool_call with five gates of Tama's, in a core that has been running, beside one `/bin/true`. */
export async function oneCall(ground: Ground): Promise<readonly Row[]> {
  const samples = await dispatching(ground, 1, spawnTrue, ground.rounds);
  return [
    rowOf({
      name: "tool_call, 5 gates, warm",
      beside: "one /bin/true, started and waited for",
      samples,
      times: 1,
      tail: { times: 4 },
    }),
  ];
}

/** Eight at once, of eight sessions, beside eight `/bin/true` at once. */
export async function eightCalls(ground: Ground): Promise<readonly Row[]> {
  const samples = await dispatching(ground, 8, () => spawnTrueAtOnce(8), Math.ceil(ground.rounds / 3));
  return [rowOf({ name: "8 tool_calls at once, 5 gates each", beside: "eight /bin/true at once", samples, times: 3 })];
}

async function dispatching(
  ground: Ground,
  atOnce: number,
  floor: () => Promise<number>,
  rounds: number,
): ReturnType<typeof inTurn> {
  const bed = await makeBed(ground, () => fiveGates);
  const { core, world } = bed;
  let number = 0;
  const once = async (): Promise<number> => {
    number++;
    const calls = Array.from({ length: atOnce }, (_, at) => callOf({ session: `s${at}`, number, cwd: world.root }));
    const took = await timed(() => Promise.all(calls.map(({ call }) => core.dispatch("tool_call", call))));
    await Promise.all(calls.map(({ result }) => core.dispatch("tool_result", result)));
    return took;
  };
  try {
    for (let settling = 0; settling < settlingCalls; settling++) {
      await once();
      await warm(world, 5);
    }
    return await inTurn(rounds, once, floor, () => warm(world, 5 * atOnce));
  } finally {
    await bed.close();
  }
}
