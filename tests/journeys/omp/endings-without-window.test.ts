import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attestation } from "../../../src/gates/attestation.ts";
import { decidedEvents, limit, type OmpRig, openOmpRig, succeeded, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";
import { ownEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const stop = { event: "stop" };
const ran = expect.stringMatching(/^over\n/);
const said = (opened: OmpRig): (string | undefined)[] =>
  opened.model.requests.map((request) => request.messages.at(-1)?.text);

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "without a window an ending finds the verdicts of hooks that wait for nothing, and the answer ends the turn",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "an ordinary answer" }));
      rig = opened;
      const [one, two] = [await opened.hold("first-gate", stop), await opened.hold("second-gate", stop)];
      one.always("pass");
      two.always("pass");
      const ended = await opened.start("say something").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "an ordinary answer\n" });
      expect(opened.model.requests.length).toBe(1);
      // One owned assessment, although it began with the message and OMP asked afterwards.
      expect(one.asked().length).toBe(1);
      expect(one.asked()[0]).toMatchObject({ answer: "an ordinary answer", window: false, stopHookActive: false });
      expect(decidedEvents(opened)).toEqual(["session_start", "input", "stop", "session_end"]);
    },
    limit,
  );

  test(
    "in JSON mode an ending finds its verdicts too: refused once, the model goes on with the reason, and the next one passes",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "half of it" }, { text: "all of it" }));
      rig = opened;
      await opened.declare("whole-work", `case "$(cat)" in *half*) echo 'the other half' >&2; exit 2;; esac\n`, stop);
      const ended = await opened.omp("--mode", "json", "-p", "work");
      expect(ended.code).toBe(0);
      expect(ended.stdout).toContain("all of it");
      expect(said(opened)[1]).toContain("the other half");
      expect(decidedEvents(opened)).toEqual(["session_start", "input", "stop", "stop", "session_end"]);
    },
    limit,
  );

  // Under the strict preset an ordinary ending says its attestation.
  for (const [preset, answer] of [
    ["standalone", "There is nothing in this folder."],
    ["strict", ["There is nothing in this folder.", ...attestation].join(" ")],
  ] as const)
    test(
      `omp -p with the preset ${preset} ends an ordinary answer without a refusal`,
      async () => {
        const look = { tools: [{ name: "bash", args: { command: "ls", i: "Looking around" } }] };
        const opened = await openOmpRig(inOrder(look, { text: answer }));
        rig = opened;
        succeeded(await opened.tama("hooks", "declare", "--preset", preset));
        const ended = await opened.start("What is in this folder?").ended;
        expect(ended).toMatchObject({ code: 0, stdout: `${answer}\n` });
        expect(opened.model.requests.length).toBe(2);
        const events = ["session_start", "input", "tool_call", "tool_result", "stop", "session_end"];
        expect(decidedEvents(opened)).toEqual(events);
      },
      limit,
    );

  test(
    "omp -p with a hook that never answers is refused at once by its name, and ends by the gate cycle",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "first answer" }, { text: "second answer" }));
      rig = opened;
      await opened.hold("waiting-gate", stop, "czekam on nobody");
      const ended = await opened.start("say something").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "second answer\n" });
      expect(said(opened)[1]).toMatch(
        /^TAMA_HOOK_INFRASTRUCTURE: tama: the assessment of this answer is not finished: waiting-gate did not answer within \d+\.\d s\. Nothing was judged\.$/,
      );
      expect(ended.stderr).toContain("tama: waiting-gate: czekam on nobody");
      expect(ended.stderr).toContain("TAMA GATE CYCLE: the gates left this session no step");
      expect(ownEntries(opened, "tama-gate-cycle").length).toBe(1);
      await until(() => opened.processes().length === 0, "the end of every process");
    },
    limit,
  );

  test(
    "over RPC a tool that ran between two unfinished endings keeps the refusal, and the message of the person gives the rest up",
    async () => {
      const run = { tools: [{ name: "bash", args: { command: "echo step", i: "Working" } }] };
      const opened = await openOmpRig(
        inOrder({ text: "one" }, run, { text: "two" }, { text: "three" }, { text: "four" }),
      );
      rig = opened;
      const gate = await opened.hold("waiting-gate", stop, "czekam on nobody");
      const omp = opened.rpc();
      const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
      await until(() => omp.reported().includes("ready"), "OMP's readiness");
      omp.send({ id: "1", type: "prompt", message: "work" });
      // Refused at "one" and, since a tool ran, again at "two"; then only answered again.
      await until(() => opened.model.requests.length === 4 && ends() >= 1, "the released ending");
      expect(said(opened).filter((text) => text?.startsWith("TAMA_HOOK_INFRASTRUCTURE")).length).toBe(2);
      gate.always("pass");
      omp.send({ id: "2", type: "prompt", message: "and again" });
      await until(() => opened.model.requests.length === 5 && ends() >= 2, "the second end");
      expect((await omp.end()).code).toBe(0);
      expect(opened.model.requests.length).toBe(5);
    },
    limit,
  );

  test(
    "a refused ending is kept beyond OMP's eight advisory rounds, and an adapter that is loaded twice acts once",
    async () => {
      // A call that runs stands between two answers, so that the gates leave the session a step.
      let asked = 0;
      const opened = await openOmpRig(() => {
        asked += 1;
        const command = `echo step ${asked}`;
        if (asked % 2 === 1) return { tools: [{ name: "bash", args: { command, i: "Working" } }] };
        return { text: asked === 24 ? "the twelfth answer" : `answer ${asked}` };
      });
      rig = opened;
      const loadedAgain = join(opened.home, "loaded-again");
      const copy = `${readFileSync(opened.adapter, "utf8")}\nwriteSync(openSync(${JSON.stringify(loadedAgain)}, "w"), "");\n`;
      const imports = 'import { openSync } from "node:fs";\n';
      writeFileSync(join(opened.home, ".omp/agent/extensions/again.ts"), `${imports}${copy}`);
      const script = `case "$(cat)" in *twelfth*) ;; *) echo 'not yet' >&2; exit 2;; esac\n`;
      await opened.declare("patient-gate", script, stop);
      const ended = await opened.start("work").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "the twelfth answer\n" });
      expect(existsSync(loadedAgain)).toBe(true);
      const events = decidedEvents(opened);
      expect(events.filter((event) => event === "stop").length).toBe(12);
      expect(events.filter((event) => event === "tool_call").length).toBe(12);
      expect(events.filter((event) => event === "input").length).toBe(1);
    },
    limit,
  );

  test(
    "a background job in print mode does not skip the ending's gates: it runs in the foreground",
    async () => {
      const run = (more: object) => ({
        tools: [{ name: "bash", args: { command: "sleep 1; echo over", i: "Working", ...more } }],
      });
      // The first would go to the background by its own word, the second by OMP's threshold.
      const script = inOrder(run({ async: true }), run({ timeout: 100 }), { text: "half" }, { text: "all" });
      const config = "bash: {autoBackground: {enabled: true, thresholdMs: 200}}\n";
      const opened = await openOmpRig(script, { background: true, config });
      rig = opened;
      await opened.declare("whole-work", `case "$(cat)" in *half*) echo 'the other half' >&2; exit 2;; esac\n`, stop);
      const ended = await opened.start("work").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "all\n" });
      expect(opened.model.requests.slice(1, 3).map(lastToolAnswer)).toEqual([ran, ran]);
      expect(decidedEvents(opened).filter((event) => event === "stop").length).toBe(2);
    },
    limit,
  );
});
