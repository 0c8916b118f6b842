import { afterEach, describe, expect, test } from "bun:test";
import { attestation } from "../../../src/gates/attestation.ts";
import { binary, limit, type OmpRig, openOmpRig, succeeded, unavailable } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer, type Turn } from "../../clients/scripted-openai.ts";

/** Each conduct gate once in the real OMP: what the model is told, and that the session comes through. */
let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const bash = (command: string): Turn => ({ tools: [{ name: "bash", args: { command, i: `Purpose of ${command}` } }] });
const write = (content: string): Turn => ({
  tools: [{ name: "write", args: { path: "notes.txt", content, i: "Writing" } }],
});
const deploy = "It is ready. To ship it:\n\n```sh\nnpm run deploy\n```";

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a repeated look is refused with its answer and passes after a write; the printed wait is sent and passes",
    async () => {
      const sent: string[] = [];
      const turns = [
        write("one\n"),
        bash("cat notes.txt"),
        bash("cat notes.txt"),
        null,
        write("two\n"),
        bash("cat notes.txt"),
      ];
      rig = await openOmpRig(async (request) => {
        const turn = turns[sent.length];
        const told = lastToolAnswer(request);
        sent.push(told);
        if (turn === undefined) return { text: "finished" };
        return turn ?? bash(printedWait(told));
      });
      succeeded(await rig.tama("hooks", "declare", "--preset", "standalone"));
      const ended = await rig.start("what do the notes say?").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "finished\n" });
      expect(sent[2]).toStartWith("one");
      expect(sent[3]).toStartWith("BLOCKED: this exact call already ran at ");
      expect(sent[3]).toContain("It was answered: one");
      expect(sent[4]).toContain("no change yet, send again");
      expect(sent[6]).toStartWith("two");
    },
    limit,
  );

  test(
    "endings: handed commands, no attestation, no work since, and one that comes through",
    async () => {
      const done = `The notes are written.\n\n${attestation.join("\n")}`;
      rig = await openOmpRig(inOrder(bash("ls"), { text: deploy }, { text: deploy }, write("one\n"), { text: done }));
      succeeded(await rig.tama("hooks", "declare", "--preset", "strict"));
      const ended = await rig.start("write the notes").ended;
      expect(ended.code).toBe(0);
      expect(ended.stdout).toContain("The notes are written.");
      const told = rig.model.requests.map(({ messages }) => messages.at(-1)?.text ?? "");
      expect(told[2]).toContain("BLOCKED: block-unchecked-operator-commands: this answer hands over commands");
      expect(told[2]).toContain("npm run deploy");
      expect(told[2]).toContain(attestation.join("\n"));
      expect(told[3]).toContain("BLOCKED: block-idle-answer: this session's ending was sent back");
      expect(told[3]).toContain("says again what an earlier refused ending said");
      expect(rig.model.requests.length).toBe(5);
    },
    limit,
  );
});

/** The command a refusal ends with, of the product under test and made short. */
function printedWait(refusal: string): string {
  const found = /wait for that in one call: (tama wait .*)$/m.exec(refusal)?.[1];
  if (found === undefined) throw new Error(`no way to wait in: ${refusal}`);
  return found.replace(/^tama/, binary).replace(/--for \S+/, "--for 1s");
}
