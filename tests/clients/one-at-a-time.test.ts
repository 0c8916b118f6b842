import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oneAtATime } from "./one-at-a-time.ts";

const module = join(import.meta.dir, "one-at-a-time.ts");

test("a second waits for the first, and a killed holder holds nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tama-one-"));
  const script = `
    const { oneAtATime } = await import(${JSON.stringify(module)});
    await oneAtATime(${JSON.stringify(folder)}, () => {}, async () => { console.log("held"); await Bun.sleep(600_000); });`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  try {
    const said = await holder.stdout.getReader().read();
    expect(new TextDecoder().decode(said.value)).toBe("held\n");
    const { promise: waits, resolve: waiting } = Promise.withResolvers<void>();
    let entered = false;
    const second = oneAtATime(folder, waiting, async () => {
      entered = true;
      return 7;
    });
    await waits;
    expect(entered).toBe(false);
    holder.kill("SIGKILL");
    expect(await second).toBe(7);
  } finally {
    holder.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("work that throws lets go", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tama-one-"));
  const fails = oneAtATime(
    folder,
    () => {},
    async () => Promise.reject(new Error("no")),
  );
  await expect(fails).rejects.toThrow("no");
  expect(
    await oneAtATime(
      folder,
      () => {},
      async () => 1,
    ),
  ).toBe(1);
  rmSync(folder, { recursive: true, force: true });
});
