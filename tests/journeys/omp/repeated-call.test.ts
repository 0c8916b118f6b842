import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { limit, type OmpRig, openOmpRig, unavailable } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer, type ModelRequest, type Turn } from "../../clients/scripted-openai.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const look: Turn = { tools: [{ name: "bash", args: { command: "cat notes.txt", i: "Reading the notes" } }] };

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a failing call repeated unchanged is refused with the earlier answer, and runs again after a successful write",
    async () => {
      const write: Turn = {
        tools: [{ name: "write", args: { path: "notes.txt", content: "the notes\n", i: "Writing" } }],
      };
      const again: Turn = {
        tools: [{ name: "bash", args: { command: "cat notes.txt", i: "Reading them once more" } }],
      };
      rig = await openOmpRig(inOrder(look, again, write, look, { text: "finished" }));
      // Either would make another program of a compiled Bun binary; OMP itself runs in a plain Bun and does not mind.
      const ended = await rig.start("read the notes", { BUN_BE_BUN: "1", BUN_OPTIONS: "--smol" }).ended;
      expect(ended).toMatchObject({ code: 0, stdout: "finished\n" });
      const answers = rig.model.requests.slice(1).map(lastToolAnswer);
      expect(answers.length).toBe(4);
      expect(answers[0]).toStartWith("cat: notes.txt: No such file or directory");
      expect(answers[1]).toMatch(
        /^this session's same call was failed at \d{4}-\d\d-\d\dT[\d:.]+Z: cat: notes.txt: No such file or directory\./,
      );
      expect(answers[1]).toContain("Its whole answer was:");
      expect(answers[1]).toContain("Command exited with code 1");
      expect(answers[3]).toStartWith("the notes");
    },
    limit,
  );

  test(
    "two subagents send the same failing call at once and neither is held; each one's own repeat is",
    async () => {
      const both = Promise.withResolvers<void>();
      let waiting = 0;
      const script = async (request: ModelRequest): Promise<Turn> => {
        const answered = request.messages.filter((message) => message.role === "tool").length;
        if (!isSubagent(request)) return answered === 0 ? delegate : { text: "finished" };
        if (answered === 0 && ++waiting === 2) both.resolve();
        if (answered === 0) await both.promise;
        if (answered < 2) return look;
        return answered === 2
          ? { tools: [{ name: "yield", args: { data: "done", i: "Reporting" } }] }
          : { text: "done" };
      };
      rig = await openOmpRig(script);
      const ended = await rig.start("let two look").ended;
      expect(ended.code).toBe(0);
      const subagents = rig.model.requests.filter(isSubagent);
      for (const name of ["one", "two"]) {
        const own = subagents.filter((request) =>
          request.messages.some((message) => message.text.includes(`LOOK ${name}`)),
        );
        expect(lastToolAnswer(own[1])).toStartWith("cat: notes.txt: No such file or directory");
        expect(lastToolAnswer(own[2])).toStartWith("this session's same call was failed at ");
      }
      const kept = readdirSync(join(rig.tamaHome, "failed-calls")).filter((file) => file.endsWith(".json"));
      expect(kept.map((file) => file.replace(/^.*~/, "")).sort()).toEqual(["One.json", "Two.json"]);
    },
    limit,
  );
});

const tasks = ["One", "Two"].map((name) => ({
  name,
  task: `LOOK ${name.toLowerCase()}: read the notes and say what stands there.`,
}));
const delegate: Turn = { tools: [{ name: "task", args: { context: "a test", tasks, i: "Delegating" } }] };

function isSubagent(request: ModelRequest): boolean {
  return request.messages.some((message) => message.role === "user" && message.text.includes("LOOK "));
}
