import { readFileSync } from "node:fs";
import type { DrivenCore, Frame } from "../journeys/core-driver.ts";

/** One line of calls.jsonl: what happened in a session, the call asked then, and who decides it how. */
export interface Episode {
  readonly name: string;
  /** Default: omp. */
  readonly harness?: string;
  readonly steps: readonly Step[];
  readonly then: AskedCall;
  readonly expect: { readonly verdict: "pass" | "refuse"; readonly by?: string };
}

type Step = AnsweredCall | { readonly batch: readonly AnsweredCall[] } | Person | Compaction;

interface AskedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly purpose?: string;
}

interface AnsweredCall {
  readonly call: AskedCall;
  readonly answer: { readonly isError: boolean; readonly text: string };
}

interface Person {
  readonly person: string;
}

interface Compaction {
  readonly compact: string;
}

export function readEpisodes(file: string): readonly Episode[] {
  const lines = readFileSync(`${import.meta.dir}/${file}`, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Episode);
}

/** Plays an episode in a session of its own and returns the answer to its last call. A step that is not admitted is played no further. */
export async function playEpisode(core: DrivenCore, session: string, episode: Episode): Promise<Frame> {
  const common = { session, cwd: "/srv/app" };
  for (const [message, step] of episode.steps.entries()) {
    if ("person" in step) await core.dispatch("input", { ...common, text: step.person });
    else if ("compact" in step) await core.dispatch("compact", { ...common, summary: step.compact });
    else await playMessage(core, common, message, "batch" in step ? step.batch : [step]);
  }
  return await core.dispatch("tool_call", { ...common, ...episode.then, call: "then", message: episode.steps.length });
}

/** One assistant message: all its calls are asked, then answered side by side. */
async function playMessage(
  core: DrivenCore,
  common: object,
  message: number,
  calls: readonly AnsweredCall[],
): Promise<void> {
  const named = calls.map(({ call, answer }, at) => ({
    call: { ...common, ...call, call: `${message}-${at}`, message },
    answer: { isError: answer.isError, text: answer.text },
  }));
  const asked = await Promise.all(named.map(({ call }) => core.dispatch("tool_call", call)));
  const admitted = named.filter((_one, at) => asked[at]?.["verdict"] === "pass");
  await Promise.all(admitted.map(({ call, answer }) => core.dispatch("tool_result", { ...call, ...answer })));
}
