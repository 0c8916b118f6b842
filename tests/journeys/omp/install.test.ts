import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, limit, type OmpRig, openOmpRig, succeeded, unavailable } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";

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
