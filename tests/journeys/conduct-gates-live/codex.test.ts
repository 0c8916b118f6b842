import { afterEach, describe, expect, test } from "bun:test";
import { attestation } from "../../../src/gates/attestation.ts";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type CodexRig, openCodexRig } from "../../clients/codex-rig.ts";
import { inOrder, shell, type Turn, toldOutputs } from "../../clients/scripted-responses.ts";

/** Each conduct gate once in the real Codex, over its own rollout. */
let rig: CodexRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

async function open(preset: string, ...turns: readonly Turn[]): Promise<CodexRig> {
  const opened = await openCodexRig({ script: inOrder(...turns) });
  rig = opened;
  succeeded(await opened.tama("hooks", "declare", "--preset", preset));
  return opened;
}

const patch: Turn = {
  calls: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: b.txt\n+hi\n*** End Patch\n" }],
};
const deploy = "It is ready. To ship it:\n\n```sh\nnpm run deploy\n```";

describe.skipIf(unavailable !== null)(`Codex${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a repeated look is refused with its answer, and passes after a patch",
    async () => {
      const look = shell("ls");
      const opened = await open("standalone", shell("touch a.txt"), look, look, patch, look, { text: "finished" });
      succeeded(await opened.start("what is there?").ended);
      const told = toldOutputs(opened.model);
      expect(told[1]).toContain("a.txt");
      expect(told[2]).toContain("BLOCKED: this exact call already ran at ");
      expect(told[2]).toContain("tama wait --session ");
      expect(told[4]).toContain("b.txt");
    },
    limit,
  );

  test(
    "endings: handed commands, no attestation, no work since, and one that comes through",
    async () => {
      const done = `The notes are written.\n\n${attestation.join("\n")}`;
      const opened = await open("strict", shell("ls"), { text: deploy }, { text: deploy }, patch, { text: done });
      const ended = succeeded(await opened.start("write the notes").ended);
      expect(ended.stdout).toContain("The notes are written.");
      expect(opened.model.requests.length).toBe(5);
      const told = opened.model.requests.map((request) => JSON.stringify(request));
      expect(told[2]).toContain("BLOCKED: block-unchecked-operator-commands: this answer hands over commands");
      expect(told[3]).toContain("BLOCKED: block-idle-answer: this session's ending was sent back");
    },
    limit,
  );
});
