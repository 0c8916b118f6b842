import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  binary,
  configureOmp,
  decidedEvents,
  limit,
  type OmpRig,
  openOmpRig,
  succeeded,
  unavailable,
  until,
} from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";
import { transcriptEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const touch = { tools: [{ name: "bash", args: { command: "touch ran", i: "Working" } }] };

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "where the binary is gone no tool runs, the refusal names it, and OMP ends in order",
    async () => {
      rig = await openOmpRig(inOrder(touch, { text: "it does not work" }, { text: "I cannot go on" }));
      const gone = join(rig.home, "gone", "tama");
      const text = readFileSync(rig.adapter, "utf8");
      expect(text).toContain(JSON.stringify(binary));
      writeFileSync(rig.adapter, text.replace(JSON.stringify(binary), JSON.stringify(gone)));
      const ended = await rig.start("touch it").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "I cannot go on\n" });
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
      const refusal = lastToolAnswer(rig.model.requests[1]);
      expect(refusal).toStartWith("TAMA_HOOK_INFRASTRUCTURE: tama: ");
      expect(refusal).toContain(gone);
      // The ending was refused once for the same cause, and let go the second time: nothing that OMP does could mend it.
      expect(rig.model.requests[2]?.messages.at(-1)?.text).toStartWith("TAMA_HOOK_INFRASTRUCTURE: tama: ");
      expect(rig.model.requests.length).toBe(3);
      expect(ended.stderr).toContain(gone);
    },
    limit,
  );

  test(
    "installing twice changes nothing the second time, and uninstalling leaves the home byte for byte",
    async () => {
      rig = await openOmpRig(inOrder({ text: "hello" }, touch, { text: "finished" }), { install: false });
      // OMP's own first steps in a home write much; they are not what is compared.
      succeeded(await rig.start("hello").ended);
      succeeded(await rig.omp("config", "path"));
      const before = snapshot(rig.home);
      const plan = succeeded(await rig.tama("install", "omp", "--plan", "--no-binary")).stdout;
      expect(plan).toContain(rig.adapter);
      expect(changed(before, snapshot(rig.home))).toEqual([]);
      expect(succeeded(await rig.tama("install", "omp", "--no-binary")).stdout).toContain(rig.adapter);
      const installed = snapshot(rig.home);
      expect(changed(before, installed)).toEqual([".omp/agent/extensions", ".omp/agent/extensions/tama.ts"]);
      succeeded(await rig.tama("install", "omp", "--no-binary"));
      expect(changed(installed, snapshot(rig.home))).toEqual([]);
      succeeded(await rig.tama("uninstall", "omp"));
      expect(changed(before, snapshot(rig.home))).toEqual([]);
    },
    limit,
  );

  test(
    "a file of that name that is not Tama's is refused and stays",
    async () => {
      rig = await openOmpRig(inOrder({ text: "hello" }));
      writeFileSync(rig.adapter, "export default () => {};\n");
      for (const verb of ["install", "uninstall"]) {
        const ended = await rig.tama(verb, "omp");
        expect(ended.code).toBe(1);
        expect(ended.stderr).toContain(`${rig.adapter} is not Tama's`);
      }
      expect(readFileSync(rig.adapter, "utf8")).toBe("export default () => {};\n");
    },
    limit,
  );

  test(
    "a run with --no-extensions has no gate, and doctor finds its calls; a session and its branch that Tama saw are no such thing",
    async () => {
      rig = await openOmpRig(
        inOrder(touch, { text: "one" }, { text: "two" }, { text: "three" }, touch, { text: "over" }),
      );
      const omp = rig.rpc();
      const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
      await until(() => omp.reported().includes("ready"), "OMP's readiness");
      for (const [at, message] of ["first", "second"].entries()) {
        omp.send({ id: `p${at}`, type: "prompt", message });
        await until(() => ends() === at + 1, `the end of the ${message}`);
      }
      const second = transcriptEntries(rig).find((entry) =>
        JSON.stringify(entry["message"] ?? "").includes('"second"'),
      );
      omp.send({ id: "b", type: "branch", entryId: second?.["id"] });
      await until(() => omp.answered("b"), "the branch");
      omp.send({ id: "p3", type: "prompt", message: "third" });
      await until(() => ends() === 3, "the end of the third");
      succeeded(await omp.end());
      // The branch holds the first call too, which was made before it.
      const told = transcriptEntries(rig).filter((entry) => JSON.stringify(entry).includes('"toolCall"'));
      expect(told.length).toBe(2);
      expect((await rig.tama("doctor")).stdout).not.toContain("never saw");
      succeeded(await rig.omp("--no-extensions", "-p", "touch it"));
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
      const doctor = await rig.tama("doctor");
      expect(doctor.code).toBe(1);
      expect(doctor.stdout).toContain("omp ran calls Tama never saw in session ");
      expect(doctor.stdout).toContain(": 1 of bash (");
    },
    limit,
  );

  test(
    "a profile is a home of its own: doctor names one without Tama, and installed there it is asked there",
    async () => {
      rig = await openOmpRig(inOrder({ text: "hello" }, touch, { text: "finished" }), { install: false });
      const profile = { OMP_PROFILE: "mine" };
      const agent = join(rig.home, ".omp/profiles/mine/agent");
      mkdirSync(agent, { recursive: true });
      configureOmp(agent, rig.model.port);
      succeeded(await rig.tama("install", "omp", "--no-binary"));
      const without = "OMP's profile mine has no Tama: OMP_PROFILE=mine tama install omp";
      expect((await rig.tama("doctor")).stdout).toContain(without);
      succeeded(await rig.start("hello", profile).ended);
      expect(readdirSync(join(rig.tamaHome, "log"))).toEqual([]);
      succeeded(await rig.tamaWith(profile, "install", "omp", "--no-binary"));
      expect((await rig.tama("doctor")).stdout).not.toContain(without);
      succeeded(await rig.start("touch it", profile).ended);
      expect(decidedEvents(rig)).toEqual(["session_start", "input", "tool_call", "tool_result", "stop", "session_end"]);
      succeeded(await rig.tamaWith(profile, "uninstall", "omp"));
      expect(existsSync(join(agent, "extensions"))).toBe(false);
      expect(existsSync(rig.adapter)).toBe(true);
    },
    limit,
  );
});

/** Every path below a folder with its mode and its bytes, but the logs: each `omp config path` writes one of its own. */
function snapshot(folder: string): Map<string, string> {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const names = all.filter((name) => !name.startsWith(join(".omp", "logs")));
  return new Map(
    names.map((name) => {
      const about = lstatSync(join(folder, name));
      const bytes = about.isFile() ? Bun.hash(readFileSync(join(folder, name))).toString(16) : "";
      return [name, `${about.mode.toString(8)} ${bytes}`];
    }),
  );
}

function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}
