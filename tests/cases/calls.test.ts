import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type DrivenCore, startCore } from "../journeys/core-driver.ts";
import { makeWorld, type World } from "../journeys/tama-command.ts";
import { playEpisode, readEpisodes } from "./episode.ts";

/**
 * Small episodes with the right verdict, against the built binary with nothing declared, so that the repeat rule alone decides. Where an
 * episode is refused by a gate, that gate's own tests play it; here the repeat rule must admit its last call.
 */
const files = ["calls.jsonl", "own-calls.jsonl"] as const;
const harnesses = ["omp", "claude-code", "codex", "gemini"] as const;
const cores = new Map<string, DrivenCore>();
const worlds: World[] = [];

beforeAll(async () => {
  for (const harness of harnesses) {
    const world = makeWorld();
    worlds.push(world);
    cores.set(harness, await startCore(world, { harness }));
  }
});

afterAll(async () => {
  for (const core of cores.values()) await core.close();
  for (const world of worlds) world.remove();
});

for (const file of files) {
  describe(file, () => {
    for (const [at, episode] of readEpisodes(file).entries()) {
      const { by } = episode.expect;
      const decides = by === undefined || by === "repeat";
      const title = decides ? episode.name : `${episode.name}: the repeat rule admits it, ${by} decides`;
      test(title, async () => {
        const core = cores.get(episode.harness ?? "omp");
        if (core === undefined) throw new Error(`no core for ${episode.harness}`);
        const answer = await playEpisode(core, `${file}-${at}`, episode);
        const expected = decides
          ? { ...(by === undefined ? {} : { blockedHookId: by }), verdict: episode.expect.verdict }
          : { verdict: "pass" };
        expect(answer).toMatchObject({ ok: true, ...expected });
      });
    }
  });
}

test("the handed cases are all here, and at least 190 of our own", () => {
  expect(readEpisodes("calls.jsonl")).toHaveLength(26);
  expect(readEpisodes("own-calls.jsonl").length).toBeGreaterThanOrEqual(190);
});
