import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { incarnationOf, stillRuns } from "./identity.ts";
import { linux } from "./linux.ts";

/** Its first thread ends by the bare system call while a worker lives on, as in a program that is just being killed, only for longer. */
const firstThreadLeaves = `
import { dlopen } from "bun:ffi";
const worker = new Worker(URL.createObjectURL(new Blob(["setInterval(() => {}, 1000)"])));
await new Promise((opened) => worker.addEventListener("open", opened));
const { symbols } = dlopen("libc.so.6", { syscall: { args: ["i64", "i64"], returns: "i64" } });
console.log("leaving");
symbols.syscall(process.arch === "arm64" ? 93n : 60n, 0n);
`;

const elsewhere = process.platform === "linux" ? "" : " (skipped: Linux's own process table)";
test.skipIf(elsewhere !== "")(`a process whose first thread alone has ended still runs${elsewhere}`, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tama-linux-")));
  const script = join(folder, "leaves.ts");
  const locked = join(folder, "locked");
  writeFileSync(script, firstThreadLeaves);
  writeFileSync(locked, "");
  const child = Bun.spawn(["flock", "--no-fork", locked, process.execPath, script], {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TAMA_BIRTH: "ab12", BUN_BE_BUN: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!/^\d+ \(.*\) Z/s.test(await Bun.file(`/proc/${child.pid}/stat`).text())) await Bun.sleep(2);
  const seen = incarnationOf(child.pid);
  expect(stillRuns(seen)).toBe(true);
  expect(linux.birthTagOf(child.pid)).toBe("ab12");
  expect(linux.holdsLock(child.pid, locked)).toBe(true);
  const listed = linux.processes()?.find((one) => one.pid === child.pid);
  expect(listed).toMatchObject({ ended: false, command: expect.stringContaining("leaves.ts") });

  child.kill("SIGKILL");
  await child.exited;
  expect(stillRuns(seen)).toBe(false);
  rmSync(folder, { recursive: true });
});
