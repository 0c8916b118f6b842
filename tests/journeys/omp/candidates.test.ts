import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, type OmpRig, openOmpRig, type Rpc, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder, type Turn } from "../../clients/scripted-openai.ts";
import { secondExtension } from "./second-extension.ts";
import { ownEntries } from "./transcript-entries.ts";

// One owned assessment serves every question about one candidate. What makes another candidate is shown here, piece by piece: the session,
// the work generation, the message, the transcript's file, what enforces. Without a window the assessment begins with the message and OMP
// asks later, so there are two looks at the same answer, and another extension can do something between them.

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const same: Turn = { text: "the same words" };
const stop = { event: "stop" };

interface Foreseen {
  readonly opened: OmpRig;
  readonly omp: Rpc;
  readonly review: Awaited<ReturnType<OmpRig["hold"]>>;
  /** Lets OMP's question go on to Tama, which another extension holds before. */
  readonly letAsk: () => void;
  readonly ends: () => number;
}

/** The second answer of a session over RPC is being assessed, and OMP has not asked about it; `before` is done just before it asks. */
async function foreseen(before: string): Promise<Foreseen> {
  const opened = await openOmpRig(inOrder({ text: "one" }, { text: "two" }, { text: "three" }));
  rig = opened;
  const held = join(opened.home, "held");
  secondExtension(
    opened,
    "aa-first",
    `pi.on("session_stop", async (_event, context) => {
      if (!fs.existsSync(${JSON.stringify(held)})) return;
      await heldWhile(${JSON.stringify(held)});
      ${before}
    });`,
  );
  const review = await opened.hold("slow-review", stop);
  const omp = opened.rpc();
  const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
  await until(() => omp.reported().includes("ready"), "OMP's readiness");
  review.answer("pass");
  omp.send({ id: "1", type: "prompt", message: "first" });
  await until(() => ends() === 1, "the end of the first");
  writeFileSync(held, "");
  omp.send({ id: "2", type: "prompt", message: "second" });
  await until(() => review.asked().length === 2, "the assessment");
  return { opened, omp, review, letAsk: () => rmSync(held), ends };
}

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "the same words are assessed again as another message, after another message of the person, and in another session",
    async () => {
      const opened = await openOmpRig(inOrder(same, same, same, same));
      rig = opened;
      const review = await opened.hold("slow-review", stop);
      const omp = opened.rpc();
      await until(() => omp.reported().includes("ready"), "OMP's readiness");
      const answered = async (verdict: string, times: number): Promise<void> => {
        await until(() => review.asked().length === times, `assessment ${times}`);
        review.answer(verdict);
      };
      omp.send({ id: "1", type: "prompt", message: "first" });
      await answered("say it again", 1);
      await answered("pass", 2);
      const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
      await until(() => ends() === 1, "the end of the first");
      omp.send({ id: "2", type: "prompt", message: "second" });
      await answered("pass", 3);
      await until(() => ends() === 2, "the end of the second");
      omp.send({ id: "n", type: "new_session" });
      await until(() => omp.answered("n"), "another session");
      omp.send({ id: "3", type: "prompt", message: "third" });
      await answered("pass", 4);
      await until(() => ends() === 3, "the end of the third");
      expect((await omp.end()).code).toBe(0);
      const asked = review.asked();
      expect(asked.map((event) => event["answer"])).toEqual(Array.from({ length: 4 }, () => same.text));
      const [first, again, later, elsewhere] = asked;
      expect(again).toMatchObject({ session: first?.["session"], generation: first?.["generation"] });
      expect(again?.["message"]).not.toBe(first?.["message"]);
      expect(Number(later?.["generation"])).toBeGreaterThan(Number(again?.["generation"]));
      expect(later?.["session"]).toBe(first?.["session"]);
      expect(elsewhere?.["session"]).not.toBe(first?.["session"]);
      // A message's number is its session's.
      expect(later?.["message"]).not.toBe(again?.["message"]);
      expect(opened.model.requests.length).toBe(4);
    },
    limit,
  );

  test(
    "what another extension appends to the transcript meanwhile makes no other candidate: the assessment that runs serves",
    async () => {
      const { opened, omp, review, letAsk, ends } = await foreseen(`pi.appendEntry("appended", {});`);
      letAsk();
      await until(() => ownEntries(opened, "appended").length === 1, "the entry");
      review.always("pass");
      await until(() => ends() === 2, "the end of the second");
      expect((await omp.end()).code).toBe(0);
      expect(review.asked().length).toBe(2);
      expect(opened.model.requests.length).toBe(2);
    },
    limit,
  );

  test(
    "an answer whose transcript was replaced by another file meanwhile is assessed anew, and the older assessment's hook is ended",
    async () => {
      const { opened, omp, review, letAsk, ends } = await foreseen(`
      const file = context.sessionManager.getSessionFile();
      fs.copyFileSync(file, file + ".other");
      fs.renameSync(file + ".other", file);`);
      letAsk();
      await until(() => review.asked().length === 3, "the new assessment");
      const running = (): number =>
        opened.processes().filter(({ command }) => command.includes("slow-review.sh")).length;
      await until(() => running() === 1, "the older hook's end");
      review.always("pass");
      await until(() => ends() === 2, "the end of the second");
      expect((await omp.end()).code).toBe(0);
      const [, older, newer] = review.asked();
      for (const part of ["session", "generation", "message", "transcript", "answer"])
        expect(newer?.[part]).toBe(older?.[part]);
      expect(opened.model.requests.length).toBe(2);
    },
    limit,
  );

  test(
    "an answer for which another hook was declared meanwhile is assessed anew, by that hook too",
    async () => {
      const { opened, omp, review, letAsk, ends } = await foreseen("");
      await opened.declare("new-rule", `case "$(cat)" in *two*) echo 'by the new rule' >&2; exit 2;; esac\n`, stop);
      letAsk();
      await until(() => review.asked().length === 3, "the new assessment");
      review.always("pass");
      await until(() => opened.model.requests.length === 3 && ends() === 2, "the end of what follows");
      expect((await omp.end()).code).toBe(0);
      expect(opened.model.requests[2]?.messages.at(-1)?.text).toContain("by the new rule");
      expect(review.asked().map((event) => event["answer"])).toEqual(["one", "two", "two", "three"]);
    },
    limit,
  );

  test(
    "an assessment that is begun anew because the session's roles changed is awaited, and its verdict counts",
    async () => {
      const { opened, omp, review, letAsk, ends } = await foreseen("");
      const record = join(opened.tamaHome, "sessions", `${review.asked()[1]?.["session"]}.json`);
      writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, "utf8")), roles: ["supervisor"] }));
      review.answer("pass");
      await until(() => review.asked().length === 3, "the assessment under the new roles");
      letAsk();
      review.answer("a supervisor may not end here");
      await until(() => review.asked().length === 4, "the next answer's assessment");
      review.always("pass");
      await until(() => ends() === 2, "the end of what follows");
      expect((await omp.end()).code).toBe(0);
      expect(opened.model.requests[2]?.messages.at(-1)?.text).toContain("a supervisor may not end here");
      const [, older, newer] = review.asked();
      expect(newer?.["message"]).toBe(older?.["message"]);
      expect(review.asked().map((event) => event["answer"])).toEqual(["one", "two", "two", "three"]);
    },
    limit,
  );
});
