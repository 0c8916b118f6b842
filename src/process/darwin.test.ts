import { expect, test } from "bun:test";
import { readBsdInfo, readProcArgs } from "./darwin.ts";

// The layouts of the system's headers; the calls themselves need a Mac.

test("proc_bsdinfo: the fields at their places", () => {
  const bytes = new Uint8Array(136);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, 5, true);
  view.setUint32(12, 4321, true);
  view.setUint32(16, 1234, true);
  view.setUint32(100, 4300, true);
  view.setBigUint64(120, 1_700_000_000n, true);
  view.setBigUint64(128, 42n, true);
  expect(readBsdInfo(bytes)).toEqual({ pid: 4321, parent: 1234, group: 4300, start: "1700000000.000042", ended: true });
});

test("KERN_PROCARGS2: count, padded path, arguments, environment", () => {
  const count = new Uint8Array([2, 0, 0, 0]);
  const text = Buffer.from("/bin/sh\0\0\0\0sh\0-c\0A=1\0TAMA_BIRTH=b\0\0apple=1\0");
  expect(readProcArgs(Buffer.concat([count, text]))).toEqual({
    words: ["sh", "-c"],
    environment: ["A=1", "TAMA_BIRTH=b"],
  });
  expect(readProcArgs(new Uint8Array(3))).toBe(null);
  expect(readProcArgs(new Uint8Array([1, 0, 0, 0, 65]))).toBe(null);
});
