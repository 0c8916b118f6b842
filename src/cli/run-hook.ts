import type { Command } from "./command.ts";

export const command: Command = {
  usage: "run-hook <harness> [--serve]",
  about:
    "Answers a harness. With --serve: one JSON object a line on stdin and stdout until stdin ends. Without: one event in the harness's own form.",
  args: {
    harness: { type: "positional", description: "with --serve: omp, pi, …; without: claude-code, codex, gemini" },
    serve: { type: "boolean", description: "serve a whole session over stdin and stdout" },
  },
  run: async (context, given) => {
    const harness = given.words[0] ?? "";
    // Each way loads only its own: a fact that a harness gives a few milliseconds needs no core.
    if (given.flag("serve")) return await (await import("./serve-harness.ts")).serveHarness(context, harness);
    const { answerOnce } = await import("../harness/one-shot.ts");
    return await answerOnce(harness, context);
  },
};
