import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, type OmpRig, openOmpRig, succeeded, unavailable, until } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer, type Turn } from "../../clients/scripted-openai.ts";
import { secondExtension } from "./second-extension.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const run = (command: string): Turn => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });
const stop = { event: "stop" };
const said = (opened: OmpRig): (string | undefined)[] =>
  opened.model.requests.map((request) => request.messages.at(-1)?.text);

/** The one session that Tama knows of. */
function sessionIn(opened: OmpRig): string {
  const [name] = readdirSync(join(opened.tamaHome, "sessions")).filter((one) => one.endsWith(".json"));
  return (name ?? "").replace(".json", "");
}

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a person's grant is not spent by a call that was given up; it is by the next one, which runs",
    async () => {
      const opened = await openOmpRig(
        inOrder({ text: "hello" }, run("echo push"), run("echo push again"), { text: "over" }),
      );
      rig = opened;
      await opened.declare("branches", `case "$(cat)" in *push*) echo 'no pushing' >&2; exit 2;; esac\n`);
      const slow = await opened.hold("slow-gate");
      const omp = opened.rpc();
      const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
      await until(() => omp.reported().includes("ready"), "OMP's readiness");
      omp.send({ id: "1", type: "prompt", message: "hello" });
      await until(() => ends() === 1, "the first end");
      const session = sessionIn(opened);
      const because = ["--because", "I looked at it"];
      succeeded(await opened.tama("grant", "once", "--session", session, "--hook", "branches", ...because));
      const spent = (): unknown[] =>
        JSON.parse(readFileSync(join(opened.tamaHome, "control", `grants.${session}.json`), "utf8")).grants.map(
          (grant: { spent: { hook: string } | null }) => grant.spent?.hook ?? null,
        );
      omp.send({ id: "2", type: "prompt", message: "push it" });
      await until(() => slow.asked().length === 1, "the call");
      omp.send({ id: "3", type: "abort" });
      await until(() => omp.answered("3"), "the abort");
      await until(() => !opened.processes().some(({ command }) => command.includes("slow-gate.sh")), "the hook's end");
      expect(spent()).toEqual([null]);
      slow.always("pass");
      omp.send({ id: "4", type: "prompt", message: "now, please" });
      await until(() => opened.model.requests.length === 4, "the call's result");
      expect(lastToolAnswer(opened.model.requests[3])).toStartWith("push again");
      expect(spent()).toEqual(["branches"]);
      expect((await omp.end()).code).toBe(0);
    },
    limit,
  );

  test(
    "a reviewer that is not available refuses the ending with its own cause, and no word of a rule that was broken",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "one" }, run("echo step"), { text: "two" }));
      rig = opened;
      const cause = "TAMA_HOOK_INFRASTRUCTURE: reviewer: the judge at 127.0.0.1:9 refused the connection";
      await opened.declare("reviewer", `case "$(cat)" in *one*) echo '${cause}' >&2; exit 70;; esac\n`, stop);
      expect(await opened.start("work").ended).toMatchObject({ code: 0, stdout: "two\n" });
      expect(said(opened)[1]).toStartWith(cause);
      expect(said(opened)[1]).not.toContain("BLOCKED");
    },
    limit,
  );

  test(
    "a refusal goes before what another extension only advises, whichever of the two was asked first",
    async () => {
      const opened = await openOmpRig(inOrder({ text: "one" }, { text: "two" }, { text: "three" }));
      rig = opened;
      const advises = (advice: string): string => `pi.on("session_stop", (event) =>
        event.last_assistant_message.content[0].text === "three" ? undefined : { continue: true, additionalContext: "${advice}" });`;
      secondExtension(opened, "aa-first", advises("advice from before"));
      secondExtension(opened, "zz-second", advises("advice from behind"));
      await opened.declare("whole-work", `case "$(cat)" in *one*) echo 'the other half' >&2; exit 2;; esac\n`, stop);
      expect(await opened.start("work").ended).toMatchObject({ code: 0, stdout: "three\n" });
      // Refused at "one"; at "two" Tama lets it go and the advice alone is left.
      expect(said(opened).slice(1)).toEqual(["the other half", "advice from before"]);
    },
    limit,
  );
});
