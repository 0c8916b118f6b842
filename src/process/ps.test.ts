import { expect, test } from "bun:test";
import { listByPs, readPs } from "./ps.ts";

test("a listing's five-word start and its command with blanks", () => {
  const text =
    "    1     0     1 Mon Nov  9 19:10:13 2026 /sbin/init  two\n  77     1    77 Tue Dec 30 01:02:03 2025 \nno line\n";
  expect(readPs(text)).toEqual([
    { pid: 1, parent: 0, group: 1, start: "Mon Nov 9 19:10:13 2026", command: "/sbin/init  two" },
    { pid: 77, parent: 1, group: 77, start: "Tue Dec 30 01:02:03 2025", command: "" },
  ]);
});

test("the system's own listing holds this process", () => {
  const listed = listByPs();
  expect(listed.ok && listed.value.some((one) => one.pid === process.pid)).toBe(true);
});
