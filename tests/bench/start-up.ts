import { makeWorld } from "../journeys/tama-command.ts";
import { inTurn, type Row, rowOf } from "./figures.ts";
import { runToEnd } from "./floors.ts";
import type { Ground } from "./ground.ts";

/** Commands a person or an agent waits for, beside an empty program built with the same flags. */
export async function helpAndCalls(ground: Ground): Promise<readonly Row[]> {
  const help = await starting(ground, ["--help"]);
  const calls = await starting(ground, ["calls", "failed", "--session", "s"]);
  return [
    rowOf({ name: "tama --help", beside: emptyProgram, samples: help, times: 1.5 }),
    rowOf({ name: "tama calls failed", beside: emptyProgram, samples: calls, times: 1.5 }),
  ];
}

/** A whole event of a harness that starts a command for each: event in, verdict out, with no core left running. */
export async function oneShot(ground: Ground): Promise<readonly Row[]> {
  const samples = await starting(ground, ["run-hook", "claude-code"], preToolUse);
  return [
    rowOf({
      name: "run-hook claude-code, one shot",
      beside: emptyProgram,
      samples,
      times: 4,
      note: "no resident core, nothing declared",
    }),
  ];
}

const emptyProgram = "an empty Bun program built with the same flags";

const preToolUse = JSON.stringify({
  session_id: "bench",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls -la" },
  tool_use_id: "toolu_bench",
  cwd: "/",
  permission_mode: "default",
});

async function starting(ground: Ground, words: readonly string[], stdin?: string): ReturnType<typeof inTurn> {
  const world = makeWorld();
  const request = { environment: world.environment, cwd: world.root, ...(stdin === undefined ? {} : { stdin }) };
  const tama = () => runToEnd([ground.binary, ...words], request);
  const empty = () => runToEnd([ground.emptyProgram], request);
  try {
    await tama();
    await empty();
    return await inTurn(ground.rounds, tama, empty);
  } finally {
    world.remove();
  }
}
