import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { openPiRig, shell } from "../../clients/pi-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";
import { tama } from "../tama-command.ts";

// OMP comes from pi, and both read PI_CODING_AGENT_DIR. The real OMP says where its folder is; the real pi runs with what was installed.

test.skipIf(unavailable !== null)(
  "where one folder is OMP's and pi's, the second installation is refused, and the ways out it names work",
  async () => {
    const rig = await openPiRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
    try {
      const shared = join(rig.world.root, "shared");
      const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
        tama(rig.world, words, { environment: { PI_CODING_AGENT_DIR: shared, ...more } });
      const file = join(shared, "extensions/tama.ts");
      succeeded(await run(["install", "omp", "--no-binary"]));
      const forOmp = readFileSync(file, "utf8");
      const refused = await run(["install", "pi", "--no-binary"]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        `${file} is Tama's for omp already: PI_CODING_AGENT_DIR gives OMP and pi one folder`,
      );
      expect(refused.stderr).toContain("env -u PI_CODING_AGENT_DIR");
      expect(refused.stderr).toContain("OMP_PROFILE=<name>");
      // Taking out what is not there takes nothing of the other's.
      succeeded(await run(["uninstall", "pi"]));
      expect(readFileSync(file, "utf8")).toBe(forOmp);

      // The first way: pi without the variable.
      succeeded(await rig.tama("install", "pi", "--no-binary"));
      expect(existsSync(rig.adapter)).toBe(true);
      succeeded(await rig.start("touch it").ended);
      expect([...new Bun.Glob("*.jsonl").scanSync(join(rig.world.home, "log"))]).toHaveLength(1);

      // The second: OMP in a profile, and pi in the shared folder.
      succeeded(await run(["uninstall", "omp"]));
      expect(existsSync(file)).toBe(false);
      succeeded(await run(["install", "pi", "--no-binary"]));
      expect((await run(["install", "omp", "--no-binary"])).stderr).toContain(`${file} is Tama's for pi already`);
      succeeded(await run(["install", "omp", "--no-binary"], { OMP_PROFILE: "mine" }));
      const inProfile = join(rig.world.root, ".omp/profiles/mine/agent/extensions/tama.ts");
      expect(readFileSync(inProfile, "utf8")).toStartWith("// tama: owned by `tama install omp`;");
      const seen = (await run(["doctor"], { OMP_PROFILE: "mine" })).stdout;
      for (const agent of ["omp", "pi"]) expect(seen).toMatch(new RegExp(`^${agent} .* installed, starts `, "m"));
    } finally {
      await rig.close();
    }
  },
  limit,
);
