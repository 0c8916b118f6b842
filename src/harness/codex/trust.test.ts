import { expect, test } from "bun:test";
import { programOfGuarded } from "../registered-line.ts";
import { isOwnEntry, trustHash, trustName, wantedGroups } from "./entries.ts";
import { ownCommandIn, strangeKeys, withOwnGroups, withoutOwnEntries } from "./hooks-file.ts";
import { hooksSwitchedOff, trustBlock, trustOf } from "./trust.ts";

const wanted = wantedGroups("/opt/with space/tama");
const file = "/home/x/.codex/hooks.json";
const theirs = '{ "hooks": {"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]} }';

function installed(text: string): string {
  const after = withOwnGroups(text, wanted);
  if (!after.ok) throw new Error(after.cause);
  return after.value;
}

test("the hash is the one Codex 0.171.0 itself gives for a group without a matcher", () => {
  // Its hooks/list named this hash for this command, event and timeout.
  const command =
    "exec sh -c 'exec env -u BUN_OPTIONS -u BUN_BE_BUN TAMA_HARNESS_PID=$PPID \"$0\" run-hook codex' /tmp/cx/tree/dist/tama";
  const hash = trustHash("Stop", { type: "command", command, timeout: 2147483 });
  expect(hash).toBe("sha256:1c221839bb4b4120c3ccf005c8484c270c7f4c13ae3ca97b40a8b0a515d0a0eb");
  expect(trustName("PostToolUse")).toBe("post_tool_use");
});

test("our groups stand last, are known by their command, and go again without a trace", () => {
  const text = installed(theirs);
  const groups = JSON.parse(text).hooks.Stop;
  expect(groups[0].hooks[0].command).toBe("mine");
  expect(isOwnEntry(groups[1].hooks[0])).toBe(true);
  expect(isOwnEntry(groups[0].hooks[0])).toBe(false);
  expect(withOwnGroups(text, wanted)).toEqual({ ok: true, value: text });
  expect(withoutOwnEntries(text)).toEqual({ ok: true, value: theirs });
  expect(programOfGuarded(ownCommandIn(text, "PreToolUse") ?? "")).toBe("/opt/with space/tama");
  expect(strangeKeys('{"hooks":{},"zzz":1}')).toEqual(["zzz"]);
});

test("a text of another shape is refused with its place", () => {
  const cause = (text: string): string => {
    const after = withOwnGroups(text, wanted);
    return after.ok ? "" : after.cause;
  };
  expect(cause("{,}")).toStartWith("is no JSON: ");
  expect(cause("[]")).toBe("is no JSON object");
  expect(cause('{"hooks":{"Stop":{}}}')).toBe("has no list at hooks.Stop");
  expect(cause('{"hooks":{"Stop":[{}]}}')).toBe("has no list of hooks at hooks.Stop.0.hooks");
});

test("trust is read as Codex reads it, and written only for what nobody decided on", () => {
  const text = installed(theirs);
  const states = (config: string | null) => {
    const found = trustOf(text, file, config, wanted);
    return found.ok ? Object.fromEntries(found.value.map(({ event, state }) => [event, state])) : found.cause;
  };
  expect(states(null)).toMatchObject({ Stop: "untrusted", PreToolUse: "untrusted" });
  const block = trustBlock(text, file, 'model = "x"\n', wanted);
  if (!block.ok) throw new Error(block.cause);
  expect(block.value).toContain(`[hooks.state."${file}:stop:1:0"]`);
  expect(new Set(Object.values(states(`model = "x"\n${block.value}`)))).toEqual(new Set(["trusted"]));
  expect(trustBlock(text, file, `model = "x"\n${block.value}`, wanted)).toEqual({ ok: true, value: "" });
  const changed = block.value.replace(/(:stop:1:0"\]\ntrusted_hash = "sha256:)../, "$100");
  expect(states(changed)).toMatchObject({ Stop: "changed", PreToolUse: "trusted" });
  expect(trustBlock(text, file, changed, wanted).ok).toBe(false);
  const disabled = `[hooks.state."${file}:stop:1:0"]\nenabled = false\n`;
  expect(states(disabled)).toMatchObject({ Stop: "disabled" });
  expect(states("model = ")).toStartWith("is no TOML: ");
  expect(hooksSwitchedOff("[features]\nhooks = false\n")).toBe(true);
  expect(hooksSwitchedOff("[features]\nhooks = true\n")).toBe(false);
});
