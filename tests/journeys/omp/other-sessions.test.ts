import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, type OmpRig, openOmpRig, type Rpc, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";
import { secondExtension } from "./second-extension.ts";
import { ownEntries, transcriptEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** The events Tama took, session by session in the order they began. */
function sessions(opened: OmpRig): readonly (readonly string[])[] {
  const folder = join(opened.tamaHome, "log");
  const logs = readdirSync(folder).map((name) => {
    const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line));
  });
  const sorted = logs.sort(([one], [other]) => (one.at < other.at ? -1 : 1));
  return sorted.map((lines) => lines.map(({ event, verdict }) => `${event} ${verdict}`));
}

function idOf(opened: OmpRig, text: string): unknown {
  return transcriptEntries(opened).find((entry) => JSON.stringify(entry["message"] ?? "").includes(`"${text}"`))?.[
    "id"
  ];
}

interface Assessed {
  readonly opened: OmpRig;
  readonly omp: Rpc;
  readonly review: Awaited<ReturnType<OmpRig["hold"]>>;
}

/** Two messages of the person over RPC; the answer to the second is being assessed. */
async function secondAnswerAssessed(): Promise<Assessed> {
  const opened = await openOmpRig(inOrder({ text: "one" }, { text: "two" }, { text: "three" }));
  rig = opened;
  // RPC has no word for a place in the tree; an extension's command has.
  const goBack = `pi.registerCommand("go-back", { handler: (id, commands) => commands.navigateTree(id.trim()) });`;
  secondExtension(opened, "zz-second", goBack);
  const review = await opened.hold("slow-review", { event: "stop" });
  const omp = opened.rpc();
  await until(() => omp.reported().includes("ready"), "OMP's readiness");
  review.answer("pass");
  omp.send({ id: "1", type: "prompt", message: "first" });
  await until(() => omp.reported().filter((type) => type === "agent_end").length === 1, "the end of the first");
  omp.send({ id: "2", type: "prompt", message: "second" });
  await until(() => review.asked().length === 2, "the assessment");
  return { opened, omp, review };
}

const began = "session_start pass";
const ofTheFirst = [began, "input pass", "stop pass", "input pass"];
const whole = ["input pass", "stop pass", "session_end pass"];

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  for (const [what, command, isAnother] of [
    ["another session", () => ({ type: "new_session" }), true],
    ["a branch", (opened) => ({ type: "branch", entryId: idOf(opened, "second") }), true],
    ["another place in the tree", (opened) => ({ type: "prompt", message: `/go-back ${idOf(opened, "one")}` }), false],
  ] as const satisfies readonly (readonly [string, (opened: OmpRig) => object, boolean])[])
    test(
      `over RPC ${what} gives up the assessment of an answer and ends its hook; what is answered there is assessed`,
      async () => {
        const { opened, omp, review } = await secondAnswerAssessed();
        omp.send({ id: "there", ...command(opened) });
        await until(() => omp.answered("there"), what);
        const runs = (): boolean => opened.processes().some(({ command }) => command.includes("slow-review.sh"));
        await until(() => !runs(), "the hook's end");
        review.always("pass");
        omp.send({ id: "3", type: "prompt", message: "third" });
        await until(() => review.asked().length === 3, "the next assessment");
        await until(() => omp.reported().filter((type) => type === "agent_end").length >= 3, "the end of the third");
        expect((await omp.end()).code).toBe(0);
        expect(opened.model.requests.length).toBe(3);
        expect(ownEntries(opened, "session-stop-continuation")).toEqual([]);
        const [first, second] = sessions(opened);
        if (isAnother) {
          expect(first?.slice(0, ofTheFirst.length)).toEqual(ofTheFirst);
          expect(first?.slice(ofTheFirst.length).sort()).toEqual(["session_end pass", "stop cancelled"]);
          expect(second).toEqual([began, ...whole]);
        } else {
          expect(first?.filter((line) => line !== "stop cancelled")).toEqual([...ofTheFirst, began, ...whole]);
          expect(first).toContain("stop cancelled");
        }
        const [, before, after] = review.asked();
        expect(after?.["session"] === before?.["session"]).toBe(!isAnother);
        if (!isAnother) expect(Number(after?.["generation"])).toBeGreaterThan(Number(before?.["generation"]));
      },
      limit,
    );
});
