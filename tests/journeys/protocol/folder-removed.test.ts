import { expect, test } from "bun:test";
import { declareHook, makeWorld, tama } from "../tama-command.ts";

/** An agent may remove the very folder it works in; Tama is then started in a folder that is not there any more. */
const inRemovedFolder = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"];

test("in a folder that was removed commands answer as elsewhere", async () => {
  const world = makeWorld();
  expect(await tama(world, ["status"], { under: inRemovedFolder })).toMatchObject({ code: 0, stderr: "" });
  const relative = { under: inRemovedFolder, environment: { TAMA_HOME: "somewhere" } };
  expect((await tama(world, ["status"], relative)).stderr).not.toContain("bug");
  world.remove();
});

test("in a folder that was removed an event is judged by the hooks", async () => {
  const world = makeWorld();
  await declareHook(world, {
    id: "no",
    command: [world.script("no", `printf '{"decision":"block","reason":"seen"}'`)],
  });
  const event = {
    session_id: "s",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "one",
    cwd: world.root,
  };
  const ended = await tama(world, ["run-hook", "claude-code"], {
    under: inRemovedFolder,
    stdin: JSON.stringify(event),
  });
  expect(ended.code).toBe(2);
  expect(ended.stdout).toContain("seen");
  world.remove();
});
