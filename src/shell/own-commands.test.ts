import { describe, expect, test } from "bun:test";
import { onlyOwnCommands } from "./own-commands.ts";

describe("a line made only of Oko's and Tama's commands", () => {
  for (const line of [
    "oko tasks claim t --by s",
    "tama task scope set --session s --task t",
    "oko work next --executor s && oko tasks list | oko tasks pick",
    "/usr/local/bin/oko defects show d 2>&1",
    "A=1 oko tasks list > /dev/null",
    "bash -c 'oko tasks list'",
    "tama wait --session s -- oko work next",
    "tama wait --session s -- 'oko work next'",
  ]) {
    test(`own: ${line}`, () => expect(onlyOwnCommands(line)).toBe(true));
  }

  for (const line of [
    "",
    "A=1",
    "ls",
    "oko tasks list | grep x",
    "oko tasks list; rm x",
    "oko tasks list > out.txt",
    "oko tasks list >> out.txt",
    "oko tasks list &",
    'oko tasks add "$(cat x)"',
    "oko tasks add <(cat x)",
    "X=$(rm x) oko tasks list",
    "tama wait --session s -- gh run view 1",
    "tama wait --session s -- 'gh run view 1'",
    'tama wait -- "oko tasks list; $NEXT"',
    "tama hook block-wait-polling",
    "tama owned-hook",
    "tama run-hook omp --serve",
    "PATH=/tmp oko tasks list",
    "LD_PRELOAD=x.so oko tasks list",
    "sudo oko tasks list",
    "xargs oko tasks add",
    "oko() { rm x; }; oko tasks list",
    "[[ -f x ]] && oko tasks list",
    "if",
    "$OKO tasks list",
  ]) {
    test(`not own: ${line}`, () => expect(onlyOwnCommands(line)).toBe(false));
  }

  test("configured programs count by their own names", () => {
    expect(onlyOwnCommands("/x/oko-dev tasks list")).toBe(false);
    expect(onlyOwnCommands("/x/oko-dev tasks list", ["/x/oko-dev"])).toBe(true);
  });
});
