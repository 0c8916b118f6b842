import { openLineWriter } from "../base/line-writer.ts";
import { openCore } from "../core/core.ts";
import { coreOperations } from "../core/requests.ts";
import { serve } from "../core/serve.ts";
import { liveLong } from "../process/long-lived.ts";
import type { Command, Context } from "./command.ts";

export const command: Command = {
  usage: "run-hook <harness> [--serve]",
  about:
    "Answers a harness. With --serve: one JSON object a line on stdin and stdout until stdin ends. Without: one event in the harness's own form.",
  args: {
    harness: { type: "positional", description: "omp, claude-code, …" },
    serve: { type: "boolean", description: "serve a whole session over stdin and stdout" },
  },
  run: async (context, given) => {
    const harness = given.words[0] ?? "";
    if (given.flag("serve")) return await serveHarness(context, harness);
    const { answerOnce } = await import("../harness/one-shot.ts");
    return await answerOnce(harness, context);
  },
};

async function serveHarness(context: Context, harness: string): Promise<number> {
  liveLong();
  const { home, environment, program, clock } = context;
  const core = openCore({ home, harness, environment, program, clock });
  const writer = openLineWriter(1);
  await serve(core, coreOperations(core), {
    input: Bun.stdin.stream(),
    write: writer.write,
    drained: writer.drained,
    stopped: AbortSignal.any([context.stopped, writer.gone]),
  });
  return 0;
}
