import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { end, limit, limitMs, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { openClaudeRig } from "../../clients/claude-rig.ts";
import type { ModelMessage, Turn } from "../../clients/scripted-anthropic.ts";
import { commandOf } from "../process-table.ts";
import { notFollowed } from "./printed.ts";
import { type Act, type Agent, atTerminal, makeTools, type Next, playSession, playSubagent } from "./seat.ts";
import { subagentWays, ways } from "./ways.ts";

/** Every way out that a refusal prints, followed literally in the real Claude Code by a session under the preset `strict`. */
let agent: Agent | null = null;
beforeAll(async () => {
  if (unavailable === null) agent = await open();
}, limitMs);
afterAll(async () => {
  await agent?.close();
});

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  for (const [name, play] of Object.entries(ways)) {
    test(
      name,
      async () => {
        if (agent === null) throw new Error("Claude Code did not open");
        await playSession(agent, play);
      },
      limit,
    );
  }

  for (const [name, play] of Object.entries(subagentWays)) {
    test(
      name,
      async () => {
        if (agent === null) throw new Error("Claude Code did not open");
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
  const rig = await openClaudeRig({
    script: async ({ lane, messages }) => asTurn(await next(toldIn(messages), lane === "subagent")),
    environment: { PATH: tools.path },
  });
  succeeded(await rig.tama("hooks", "declare", "--preset", "strict"));
  const projects = join(rig.world.root, ".claude/projects");
  const transcripts = (): string[] =>
    existsSync(projects) ? [...new Bun.Glob("**/*.jsonl").scanSync({ cwd: projects, absolute: true })] : [];
  let before: string[] = [];
  const written = (ofSubagent: boolean): string => {
    const own = transcripts().find((path) => !before.includes(path) && path.includes("/subagents/") === ofSubagent);
    if (own === undefined) throw new Error(`Claude Code wrote no such transcript below ${projects}`);
    return own;
  };
  return {
    work: rig.work,
    tamaHome: rig.world.home,
    tools,
    person: (line) => atTerminal(line, rig.world.environment),
    transcript: () => written(false),
    subagentTranscript: () => written(true),
    running: () => rig.processes().map(({ pid }) => commandOf(pid)),
    start: (asked) => {
      next = asked;
      before = transcripts();
      const started = rig.start("do the work");
      return { stop: () => end(started.pid), ended: started.ended };
    },
    close: async () => {
      await rig.close();
      rmSync(tools.folder, { recursive: true, force: true });
    },
  };
}

/** All that came since the model last spoke: the harness may add words of its own. */
function toldIn(messages: readonly ModelMessage[]): string {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return since.flatMap(({ results, text }) => [...results.map((result) => result.text), text]).join("\n");
}

function asTurn(act: Act): Turn {
  if ("say" in act) return { text: act.say };
  if ("delegate" in act) {
    const input = { description: "Help", prompt: act.delegate, subagent_type: "general-purpose" };
    return { tools: [{ name: "Agent", input }] };
  }
  if ("shell" in act) return { tools: [{ name: "Bash", input: { command: act.shell, description: "Work" } }] };
  if ("read" in act) return { tools: [{ name: "Read", input: { file_path: act.read } }] };
  return { tools: [{ name: "Write", input: { file_path: act.write[0], content: act.write[1] } }] };
}
