import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inLanes, type Turn } from "../../clients/scripted-anthropic.ts";
import { declareHook } from "../tama-command.ts";
import { loggedBy } from "./session-log.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/**
 * A session under two hooks that refuse every ending in turn, so that neither is the one that refused before, and the core's release of
 * endings that no step is left for never comes.
 */
async function openRefused(
  environment: Readonly<Record<string, string>> = {},
  other: (asked: number) => Turn | null = () => null,
): Promise<ClaudeRig> {
  let asked = 0;
  const opened = await openClaudeRig({
    environment,
    script: () => {
      asked++;
      return other(asked) ?? { text: `answer ${asked}` };
    },
  });
  for (const [id, rest] of Object.entries({ even: 0, odd: 1 })) {
    const body = `n=$(sed -n 's/.*"answer":"answer \\([0-9]*\\)".*/\\1/p'); [ $((n % 2)) = ${rest} ] || exit 0; echo 'not yet, says ${id}' >&2; exit 2`;
    await declareHook(opened.world, { id, command: [opened.world.script(id, body)], on: [{ event: "stop" }] });
  }
  rig = opened;
  return opened;
}

/** What the model was told after each refused ending. */
const feedbacks = ({ model }: ClaudeRig): readonly string[] =>
  model.requests.slice(1).map(({ messages }) => messages.findLast(({ text }) => text.includes("not yet"))?.text ?? "");

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "the limit of eight refused endings is named at the seventh and the eighth, to the model and in what the person can set",
    async () => {
      const opened = await openRefused();
      await opened.start("just answer").ended;
      const told = feedbacks(opened);
      expect(told.length).toBe(8);
      for (const early of told.slice(0, 6)) expect(early).not.toContain("BLOCK_CAP");
      expect(told[6]).toContain("This turn's end was refused 7 times in a row without a tool call between");
      expect(told[7]).toContain("refused 8 times in a row");
      for (const late of told.slice(6)) expect(late).toContain("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP");
      expect(loggedBy(opened).filter(({ event }) => event === "stop").length).toBe(9);
    },
    limit,
  );

  test(
    "a limit of the person's own is named instead, and a call in between begins the count anew",
    async () => {
      const call: Turn = { tools: [{ name: "Bash", input: { command: "true", description: "Nothing" } }] };
      const opened = await openRefused({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "3" }, (asked) =>
        asked === 3 ? call : null,
      );
      await opened.start("just answer").ended;
      // Claude Code hands each feedback to the model in two messages; one of them names the command.
      const warned = (opened.model.requests.at(-1)?.messages ?? []).map(
        ({ text }) => /hook blocking error[\s\S]*refused (\d) times/.exec(text)?.[1],
      );
      expect(warned.filter((count) => count !== undefined)).toEqual(["2", "2", "3"]);
    },
    limit,
  );

  test(
    "a hook that breaks refuses an ending once; when the session has no step left the core lets it go and the answer is there",
    async () => {
      const opened = await openClaudeRig({ script: ({ messages }) => ({ text: `answer ${messages.length}` }) });
      rig = opened;
      const broken = opened.world.script("broken", "cat >/dev/null; exit 3");
      await declareHook(opened.world, { id: "broken", command: [broken], on: [{ event: "stop" }] });
      const ended = succeeded(await opened.start("just answer").ended);
      expect(opened.model.requests.length).toBe(2);
      expect(ended.stdout).toStartWith("answer ");
      expect(JSON.stringify(opened.model.requests[1]?.messages)).toContain("TAMA_HOOK_INFRASTRUCTURE: broken: ");
      expect(loggedBy(opened).flatMap(({ event, verdict }) => (event === "stop" ? [verdict] : []))).toEqual([
        "infrastructure",
        "pass",
      ]);
    },
    limit,
  );

  test(
    "the ending's own text is what the hook reads, of the session and of its subagents",
    async () => {
      const input = { description: "Look", prompt: "[[one]] read the notes", subagent_type: "general-purpose" };
      const opened = await openClaudeRig({
        script: inLanes({
          main: [{ text: "I delegate", tools: [{ name: "Agent", input }] }, { text: "the main answer" }],
          one: [{ text: "the subagent's answer" }],
        }),
      });
      rig = opened;
      const { world } = opened;
      const reads = world.script("reads", `cat >> "${world.root}/endings"`);
      await declareHook(world, { id: "reads", command: [reads], on: [{ event: "stop", agent: "both" }] });
      succeeded(await opened.start("let one look").ended);
      const endings = readFileSync(`${world.root}/endings`, "utf8")
        .trimEnd()
        .split("\n")
        .map((line): { agent: string; answer: string } => JSON.parse(line));
      expect(endings).toContainEqual(expect.objectContaining({ agent: "main", answer: "the main answer" }));
      expect(endings).toContainEqual(expect.objectContaining({ agent: "sub", answer: "the subagent's answer" }));
    },
    limit,
  );
});
