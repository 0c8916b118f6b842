import { expect, test } from "bun:test";
import { incarnationOf, ownIncarnation, stillRuns } from "./identity.ts";

test("the very process, another start, another view, and none", async () => {
  const own = ownIncarnation();
  expect(stillRuns(own)).toBe(true);
  expect(stillRuns({ ...own, start: own.start?.replace(/^\d+/, "1") ?? null })).toBe(false);
  expect(stillRuns({ ...own, start: `${own.start}9` })).toBe(process.platform === "linux" ? null : false);
  expect(stillRuns({ ...own, start: null })).toBe(null);
  const child = Bun.spawn(["sleep", "600"], { env: {} });
  const seen = incarnationOf(child.pid);
  child.kill("SIGKILL");
  await child.exited;
  expect(stillRuns(seen)).toBe(false);
});

const elsewhere = process.platform === "linux" ? "" : " (skipped: only tried where a test can make a zombie)";
test.skipIf(elsewhere !== "")(`a zombie does not run${elsewhere}`, async () => {
  const parent = Bun.spawn(["sh", "-c", "sleep 0 & echo $!; exec sleep 600"], { env: {}, stdout: "pipe" });
  const reader = parent.stdout.getReader();
  const pid = Number(Buffer.from((await reader.read()).value ?? []).toString());
  for (;;) {
    const seen = incarnationOf(pid);
    if (seen.start === null || stillRuns(seen) === false) break;
    await Bun.sleep(2);
  }
  expect(stillRuns(incarnationOf(pid))).toBe(false);
  expect(stillRuns({ pid, start: null })).toBe(false);
  parent.kill("SIGKILL");
  await parent.exited;
});
