import { openLineWriter } from "../base/line-writer.ts";
import { openCore } from "../core/core.ts";
import { coreOperations } from "../core/requests.ts";
import { serve } from "../core/serve.ts";
import { liveLong } from "../process/long-lived.ts";
import type { Context } from "./command.ts";

/** One core for a whole session, until stdin ends. */
export async function serveHarness(context: Context, harness: string): Promise<number> {
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
