import { afterEach, describe, expect, test } from "bun:test";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inLanes, inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const look = (description: string): Turn => ({
  tools: [{ name: "Bash", input: { command: "cat notes.txt", description } }],
});

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a failing call repeated unchanged is refused with the earlier answer, and runs again after a successful write",
    async () => {
      const write: Turn = { tools: [{ name: "Write", input: { file_path: "notes.txt", content: "the notes\n" } }] };
      // What the model calls it is no change of the call.
      const turns = [look("Read the notes"), look("Read them once more"), write, look("Read"), { text: "finished" }];
      rig = await openClaudeRig({ script: inOrder(...turns) });
      const ended = succeeded(await rig.start("read the notes").ended);
      expect(ended.stdout).toBe("finished\n");
      const [failed, held, written, read] = toldResults(rig.model);
      expect(failed?.text).toContain("cat: notes.txt: No such file or directory");
      expect(held?.isError).toBe(true);
      expect(held?.text).toMatch(/this session's same call was failed at \d{4}-\d\d-\d\dT[\d:.]+Z: /);
      expect(held?.text).toContain("Its whole answer was:\nExit code 1\ncat: notes.txt: No such file or directory");
      expect(written?.isError).toBe(false);
      expect(read).toMatchObject({ isError: false, text: "the notes" });
    },
    limit,
  );

  test(
    "two subagents send the same failing call at once and neither is held; each one's own repeat is",
    async () => {
      const both = Promise.withResolvers<void>();
      let waiting = 0;
      const own = [look("Look"), look("Look again"), { text: "done" }];
      const delegate: Turn = {
        tools: ["one", "two"].map((name) => ({
          name: "Agent",
          input: {
            description: `Look ${name}`,
            prompt: `[[${name}]] read the notes`,
            subagent_type: "general-purpose",
          },
        })),
      };
      const lanes = inLanes({ main: [delegate, { text: "finished" }], one: own, two: own });
      rig = await openClaudeRig({
        script: async (request) => {
          const turn = await lanes(request);
          const first = request.lane !== "main" && !request.messages.some(({ results }) => results.length > 0);
          if (first && ++waiting === 2) both.resolve();
          if (first) await both.promise;
          return turn;
        },
      });
      succeeded(await rig.start("let two look").ended);
      for (const lane of ["one", "two"]) {
        const [failed, held] = toldResults(rig.model, lane);
        expect(failed?.text).toContain("cat: notes.txt: No such file or directory");
        expect(held?.text).toContain("this session's same call was failed at ");
      }
      const kept = [...new Bun.Glob("*~*.json").scanSync(`${rig.world.home}/failed-calls`)];
      expect(kept.length).toBe(2);
    },
    limit,
  );

  test(
    "the same look sent several times in one message is not held, though no answer is there yet",
    async () => {
      const read = { name: "Read", input: { file_path: "notes.txt" } };
      const write = (name: string): Turn => ({
        tools: [{ name: "Write", input: { file_path: name, content: "x\n" } }],
      });
      const looks: Turn = { tools: [read, read, read, read] };
      const turns = [write("notes.txt"), looks, write("other"), looks, write("third"), looks, { text: "finished" }];
      rig = await openClaudeRig({ script: inOrder(...turns) });
      expect(succeeded(await rig.start("look well").ended).stdout).toBe("finished\n");
      expect(toldResults(rig.model).map(({ isError }) => isError)).toEqual(Array(15).fill(false));
    },
    limit,
  );
});
