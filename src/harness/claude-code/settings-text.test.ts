import { expect, test } from "bun:test";
import { clearTakeovers } from "../takeovers.ts";
import { hookCommand, isOwnEntry, programOf, wantedGroups } from "./entries.ts";
import { withOwnGroups, withoutOwnEntries } from "./settings-text.ts";

const wanted = wantedGroups("/opt/tama");
const theirs = { matcher: "Bash", hooks: [{ type: "command", command: "/usr/local/bin/guard" }] };

function installed(text: string): string {
  const next = withOwnGroups(text, wanted);
  if (!next.ok) throw new Error(next.cause);
  return next.value;
}

test("each event's list ends with Tama's group, and a second time changes nothing", () => {
  for (const text of [
    "",
    "{}",
    '{"model":"x","hooks":{"PreToolUse":[]}}',
    JSON.stringify({ hooks: { Stop: [theirs] } }),
  ]) {
    const once = installed(text);
    const { hooks } = JSON.parse(once);
    for (const [event, group] of wanted) expect(hooks[event].at(-1)).toEqual(group);
    expect(installed(once)).toBe(once);
  }
  expect(JSON.parse(installed(JSON.stringify({ hooks: { Stop: [theirs] } }))).hooks.Stop[0]).toEqual(theirs);
});

test("an older entry, one of another form, and one that is no longer last are replaced by the right one", () => {
  const old = { hooks: [{ type: "command", command: "/old/tama", args: ["run-hook", "claude-code"], timeout: 60 }] };
  const mixed = { matcher: "*", hooks: [theirs.hooks[0], { type: "command", command: hookCommand("/older/tama") }] };
  const own = wanted.get("PreToolUse");
  const text = JSON.stringify({ hooks: { PreToolUse: [old, mixed, own, theirs], FileChanged: [old] } }, null, 4);
  const { hooks } = JSON.parse(installed(text));
  expect(hooks.PreToolUse).toEqual([{ matcher: "*", hooks: [theirs.hooks[0]] }, theirs, own]);
  expect(hooks.FileChanged).toBeUndefined();
});

test("taking out leaves what a person put beside it since", () => {
  const text = '{\n   "model":"x",\n   "hooks" : { "Stop":[ ] }\n}\n';
  const edited = installed(text).replace('"model":"x"', '"model":"y"');
  const bare = withoutOwnEntries(edited);
  expect(bare).toEqual({ ok: true, value: '{\n   "model":"y"\n}\n' });
});

test("a file that is not understood is refused with its place", () => {
  const cause = (text: string): string => {
    const next = withOwnGroups(text, wanted);
    return next.ok ? "" : next.cause;
  };
  expect(cause('{"a":1,}')).toStartWith("is no JSON: ");
  expect(cause("[]")).toBe("is no JSON object");
  expect(cause('{"hooks":[]}')).toBe("has no object at hooks");
  expect(cause('{"hooks":{"Stop":{}}}')).toBe("has no list at hooks.Stop");
  expect(cause('{"hooks":{"Stop":[{"command":"x"}]}}')).toBe("has no list of hooks at hooks.Stop.0.hooks");
});

test("a path that sh would take apart is quoted, and the entry is known again", () => {
  expect(hookCommand("/opt/tama")).toBe(`${clearTakeovers} /opt/tama run-hook claude-code`);
  expect(programOf("true; env -u X /opt/tama run-hook claude-code")).toBeNull();
  expect(programOf("env -u X true;/opt/tama run-hook claude-code")).toBeNull();
  expect(programOf(hookCommand("/it's a $HOME/tama"))).toBe("/it's a $HOME/tama");
  const odd = hookCommand("/it's a $HOME/tama");
  expect(odd).toContain(`'/it'\\''s a $HOME/tama'`);
  expect(isOwnEntry({ type: "command", command: odd })).toBe(true);
  expect(isOwnEntry({ command: "/opt/tama run-hook codex" })).toBe(false);
  expect(isOwnEntry({ command: "/opt/notama run-hook claude-code" })).toBe(false);
  expect(isOwnEntry({ command: "echo tama run-hook claude-code; rm x" })).toBe(false);
});
