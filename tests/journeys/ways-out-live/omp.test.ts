import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { end, limit, limitMs, type OmpRig, openOmpRig, succeeded, unavailable } from "../../clients/omp-rig.ts";
import type { ModelMessage, Turn } from "../../clients/scripted-openai.ts";
import { notFollowed } from "./printed.ts";
import {
  type Act,
  type Agent,
  atTerminal,
  makeTools,
  type Next,
  playSession,
  playSubagent,
  subagentMark,
} from "./seat.ts";
import { subagentWays, ways } from "./ways.ts";

/** Every way out that a refusal prints, followed literally in the real OMP by a session under the preset `strict`. */
let agent: Agent | null = null;
beforeAll(async () => {
  if (unavailable === null) agent = await open();
}, limitMs);
afterAll(async () => {
  await agent?.close();
});

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  for (const [name, play] of Object.entries(ways)) {
    test(
      name,
      async () => {
        if (agent === null) throw new Error("OMP did not open");
        await playSession(agent, play);
      },
      limit,
    );
  }

  for (const [name, play] of Object.entries(subagentWays)) {
    test(
      name,
      async () => {
        if (agent === null) throw new Error("OMP did not open");
        await playSubagent(agent, play);
      },
      limit,
    );
  }

  test("no command that a refusal printed was left unfollowed", () => expect(notFollowed()).toEqual([]));
});

async function open(): Promise<Agent> {
  const tools = await makeTools();
  let next: Next = async () => ({ say: "nobody plays" });
  const rig: OmpRig = await openOmpRig(async ({ messages }) => {
    const subagent = messages.some(({ role, text }) => role === "user" && text.includes(subagentMark));
    return asTurn(await next(toldIn(messages), subagent), subagent);
  });
  succeeded(await rig.tama("hooks", "declare", "--preset", "strict"));
  const sessions = join(rig.home, ".omp/agent/sessions");
  const transcripts = (): string[] => [...new Bun.Glob("**/*.jsonl").scanSync({ cwd: sessions, absolute: true })];
  let before: string[] = [];
  const written = (which: RegExp): string => {
    const own = existing(transcripts).find((path) => !before.includes(path) && which.test(path.slice(sessions.length)));
    if (own === undefined) throw new Error(`OMP wrote no such transcript below ${sessions}: ${existing(transcripts)}`);
    return own;
  };
  return {
    work: rig.work,
    tamaHome: rig.tamaHome,
    tools,
    person: (line) => atTerminal(line, { PATH: tools.path, HOME: rig.home, TAMA_HOME: rig.tamaHome }),
    // A subagent's file lies in a folder of its session's own.
    transcript: () => written(/^\/[^/]+\/[^/]+$/),
    subagentTranscript: () => written(/^\/[^/]+\/[^/]+\/.+$/),
    running: () => rig.processes().map(({ command }) => command),
    start: (asked) => {
      next = asked;
      before = existing(transcripts);
      const started = rig.start("do the work", { PATH: tools.path });
      return { stop: () => end(started.pid), ended: started.ended };
    },
    close: async () => {
      await rig.close();
      rmSync(tools.folder, { recursive: true, force: true });
    },
  };
}

/** Before the first session there is no folder yet. */
function existing(list: () => string[]): string[] {
  try {
    return list();
  } catch {
    return [];
  }
}

/** All that came since the model last spoke: the harness may add words of its own. */
function toldIn(messages: readonly ModelMessage[]): string {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return since.map(({ text }) => text).join("\n");
}

function asTurn(act: Act, subagent: boolean): Turn {
  const i = "Working";
  // A subagent reports by a call.
  if ("say" in act) return subagent ? { tools: [{ name: "yield", args: { data: act.say, i } }] } : { text: act.say };
  if ("delegate" in act) {
    const tasks = [{ name: "Helper", task: act.delegate }];
    return { tools: [{ name: "task", args: { context: "a test", tasks, i } }] };
  }
  if ("shell" in act) return { tools: [{ name: "bash", args: { command: act.shell, i } }] };
  if ("read" in act) return { tools: [{ name: "read", args: { path: act.read, i } }] };
  return { tools: [{ name: "write", args: { path: act.write[0], content: act.write[1], i } }] };
}
