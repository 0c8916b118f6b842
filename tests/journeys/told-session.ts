import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  asHarnessCalls,
  type Happening,
  type WrittenCall,
  type WrittenHarness,
  writtenTranscript,
} from "../cases/written-transcript.ts";
import { type DrivenCore, type Frame, startCore } from "./core-driver.ts";
import { makeWorld, tama, type World } from "./tama-command.ts";

/** A session under the built core whose transcript is written as its harness would have: what is told by event also stands in the file. */
export interface ToldSession {
  readonly world: World;
  readonly core: DrivenCore;
  readonly transcript: string;
  /** What happened beside calls. */
  readonly happens: (...steps: readonly Happening[]) => Promise<void>;
  /** Asks a call; where it is admitted it answers so. */
  readonly calls: (call: WrittenCall | string, text?: string, isError?: boolean) => Promise<Frame>;
  readonly stops: (answer: string) => Promise<Frame>;
  readonly close: () => Promise<void>;
}

export interface SessionRequest {
  readonly harness: WrittenHarness;
  /** Gates or presets to declare. */
  readonly declare: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export async function tellSession(request: SessionRequest): Promise<ToldSession> {
  const { harness } = request;
  const world = makeWorld(request.environment);
  for (const id of request.declare) {
    const words = id === "standalone" || id === "strict" ? ["--preset", id] : [id];
    const declared = await tama(world, ["hooks", "declare", ...words]);
    if (declared.code !== 0) throw new Error(declared.stderr);
  }
  const core = await startCore(world, { harness });
  const transcript = join(world.root, "s.jsonl");
  const common = { session: "s", agent: "main", cwd: world.root, transcript };
  let story: Happening[] = [];
  const tell = (...steps: readonly Happening[]): void => {
    story = [...story, ...steps];
    writeFileSync(transcript, writtenTranscript(harness, story, world.root));
  };
  return {
    world,
    core,
    transcript,
    happens: async (...steps) => {
      tell(...steps);
      for (const step of steps) {
        if ("person" in step) await core.dispatch("input", { ...common, text: step.person });
        if ("compact" in step) await core.dispatch("compact", { ...common, summary: step.compact });
      }
    },
    calls: async (asked, text = "ok", isError = false) => {
      const call = typeof asked === "string" ? { tool: "bash", input: { command: asked } } : asked;
      const message = `m${story.length}`;
      const event = { ...common, ...asHarnessCalls(harness, call), call: `${message}-0`, message };
      const answer = await core.dispatch("tool_call", event);
      const refused = answer["verdict"] !== "pass";
      tell({ call, answer: { isError: refused || isError, text: refused ? String(answer["reason"]) : text } });
      if (!refused) await core.dispatch("tool_result", { ...event, isError, text });
      return answer;
    },
    stops: async (answer) => {
      tell({ says: answer });
      const given = await core.dispatch("stop", { ...common, answer });
      if (given["verdict"] === "refuse") tell({ refusedStop: String(given["reason"]) });
      return given;
    },
    close: async () => {
      await core.close();
      world.remove();
    },
  };
}
