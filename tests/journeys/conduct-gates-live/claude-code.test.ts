import { afterEach, describe, expect, test } from "bun:test";
import { attestation } from "../../../src/gates/attestation.ts";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { tama } from "../tama-command.ts";

/** Each conduct gate once in the real Claude Code: what the model is told, and that the session comes through. */
let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const bash = (command: string): Turn => ({
  tools: [{ name: "Bash", input: { command, description: `Why ${command}` } }],
});
const write = (name: string): Turn => ({ tools: [{ name: "Write", input: { file_path: name, content: "one\n" } }] });
const deploy = "It is ready. To ship it:\n\n```sh\nnpm run deploy\n```";

async function open(preset: string, turns: readonly Turn[]): Promise<ClaudeRig> {
  const opened = await openClaudeRig({ script: inOrder(...turns) });
  rig = opened;
  expect((await tama(opened.world, ["hooks", "declare", "--preset", preset])).code).toBe(0);
  return opened;
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a repeated look is refused with its answer, and passes after a write",
    async () => {
      const look = bash("ls");
      const opened = await open("standalone", [write("a.txt"), look, look, write("b.txt"), look, { text: "finished" }]);
      expect(succeeded(await opened.start("what is there?").ended).stdout).toBe("finished\n");
      const [, first, second, , third] = toldResults(opened.model);
      expect(first).toMatchObject({ isError: false, text: "a.txt" });
      expect(second?.isError).toBe(true);
      expect(second?.text).toContain("BLOCKED: this exact call already ran at ");
      expect(second?.text).toContain("It was answered: a.txt");
      expect(second?.text).toContain("tama wait --session ");
      expect(third).toMatchObject({ isError: false, text: "a.txt\nb.txt" });
    },
    limit,
  );

  test(
    "endings: handed commands, no attestation, no work since, and one that comes through",
    async () => {
      const done = `The notes are written.\n\n${attestation.join("\n")}`;
      const again = deploy.replace("It is ready.", "All is ready now.");
      const turns = [bash("ls"), { text: deploy }, { text: again }, write("a.txt"), { text: done }];
      const opened = await open("strict", turns);
      expect(succeeded(await opened.start("write the notes").ended).stdout).toContain("The notes are written.");
      const told = opened.model.requests.map(({ messages }) => messages.map(({ text }) => text).join("\n"));
      expect(told[2]).toContain("BLOCKED: block-unchecked-operator-commands: this answer hands over commands");
      expect(told[2]).toContain(attestation.join("\n"));
      expect(told[3]).toContain("BLOCKED: block-idle-answer: this session's ending was sent back");
      expect(opened.model.requests.length).toBe(5);
    },
    limit,
  );
});
