import { expect, test } from "bun:test";
import { actsByName } from "./acts-by-name.ts";

test("a tool acts by the words of its own name", () => {
  for (const tool of [
    "mcp__playwright__browser_click",
    "browserPressKey",
    "debug",
    "mcp__jira__create_issue",
    "mcp__chrome__computer",
  ])
    expect([tool, actsByName(tool)]).toEqual([tool, true]);
  for (const tool of ["mcp__ci__status", "mcp__db__query", "eval", "mcp__open__list", "task"])
    expect([tool, actsByName(tool)]).toEqual([tool, false]);
});
