import { afterEach, describe, expect, test } from "bun:test";
import { decidedEvents, limit, type OmpRig, openOmpRig, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "over RPC each message of the person counts once, the one sent into a running turn too, and lifts what it lifts",
    async () => {
      const look = { tools: [{ name: "bash", args: { command: "cat notes.txt", i: "Looking" } }] };
      const wait = { tools: [{ name: "bash", args: { command: "sleep 2; cat other.txt", i: "Waiting" } }] };
      const over = { text: "over" };
      const opened = await openOmpRig(inOrder(look, look, over, look, wait, over, look, over));
      rig = opened;
      const omp = opened.rpc();
      const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
      await until(() => omp.reported().includes("ready"), "OMP's readiness");
      omp.send({ id: "1", type: "prompt", message: "look twice" });
      await until(() => ends() === 1, "the first end");
      omp.send({ id: "2", type: "prompt", message: "look once more" });
      await until(() => opened.model.requests.length === 5, "the waiting call");
      await until(() => omp.reported().filter((type) => type === "tool_execution_start").length === 4, "its start");
      omp.send({ id: "3", type: "steer", message: "and something else" });
      await until(() => ends() === 2, "the second end");
      expect((await omp.end()).code).toBe(0);
      const [first, second, , third] = opened.model.requests.slice(1).map(lastToolAnswer);
      expect(first).toStartWith("cat: notes.txt");
      expect(second).toStartWith("this session's same call was failed at");
      expect(third).toStartWith("cat: notes.txt");
      expect(decidedEvents(opened).filter((event) => event === "input").length).toBe(3);
    },
    limit,
  );
});
