import { describe, expect, test } from "bun:test";
import { admittedInPurgatory } from "./purgatory-commands.ts";

describe("what a session in purgatory may run", () => {
  for (const line of [
    "oko purgatory confess --session s-1",
    "oko purgatory status --session s-1",
    "oko purgatory status --session s-1 --json",
    "oko purgatory status --json --session=s-1",
    "/opt/oko/bin/oko purgatory confess --session 's-1'",
    "  oko purgatory confess --session s-1 # now",
  ]) {
    test(`admitted: ${line}`, () => expect(admittedInPurgatory(line, "s-1")).toBe(true));
  }

  for (const line of [
    "",
    "oko purgatory confess",
    "oko purgatory confess --session s-2",
    "oko purgatory confess --session s-1 --session s-2",
    "oko purgatory confess --session s-1 --session s-1",
    "oko purgatory confess --session $S",
    'oko purgatory confess --session "$(echo s-1)"',
    "oko purgatory verdict --session s-1",
    "oko purgatory confess --session s-1 --text x",
    "oko purgatory confess --session s-1 extra",
    "oko purgatory confess --session s-1; ls",
    "oko purgatory confess --session s-1 && ls",
    "oko purgatory confess --session s-1 | cat",
    "oko purgatory confess --session s-1 &",
    "oko purgatory confess --session s-1 > x",
    "oko purgatory confess --session s-1 2>&1",
    "oko purgatory confess --session s-1 < x",
    "PATH=/tmp oko purgatory confess --session s-1",
    "env oko purgatory confess --session s-1",
    "sudo oko purgatory confess --session s-1",
    "(oko purgatory confess --session s-1)",
    "! oko purgatory confess --session s-1",
    "bash -c 'oko purgatory confess --session s-1'",
    "tama purgatory confess --session s-1",
    "noko purgatory confess --session s-1",
    "oko\npurgatory confess --session s-1",
  ]) {
    test(`refused: ${line}`, () => expect(admittedInPurgatory(line, "s-1")).toBe(false));
  }

  test("a session without a name has no way out to admit", () => {
    expect(admittedInPurgatory("oko purgatory status --session ''", "")).toBe(false);
  });

  test("the configured program counts by its own name", () => {
    expect(admittedInPurgatory("oko-dev purgatory status --session s", "s")).toBe(false);
    expect(admittedInPurgatory("/x/oko-dev purgatory status --session s", "s", "/x/oko-dev")).toBe(true);
  });
});
