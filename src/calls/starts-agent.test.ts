import { expect, test } from "bun:test";
import { startsAgent } from "./starts-agent.ts";

test("an agent is started by the tools that the harnesses have for it, and by no other", () => {
  for (const tool of ["Task", "Agent", "task", "spawn_agent", "multi_agent_v1spawn_agent"])
    expect([tool, startsAgent(tool)]).toEqual([tool, true]);
  for (const tool of ["TaskCreate", "multi_agent_v1wait_agent", "taskoutput", "Bash", "eval"])
    expect([tool, startsAgent(tool)]).toEqual([tool, false]);
});
