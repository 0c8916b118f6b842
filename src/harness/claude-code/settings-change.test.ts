import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { keptPath } from "../kept-original.ts";
import { wantedGroups } from "./entries.ts";
import { judgeSettings } from "./settings-change.ts";
import { withOwnGroups } from "./settings-text.ts";

const root = mkdtempSync(join(tmpdir(), "tama-settings-change-"));
afterAll(() => rmSync(root, { recursive: true }));

const tamaHome = join(root, "tama");
const program = join(root, "bin", "tama");
const user = join(root, ".claude", "settings.json");
const local = join(root, "work", ".claude", "settings.local.json");
const standing = { environment: {}, userHome: root, tamaHome, program };

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function installed(binary = program, text = "{}"): string {
  const next = withOwnGroups(text, wantedGroups(binary));
  if (!next.ok) throw new Error(next.cause);
  return next.value;
}

/** What the refusal says, null for none. */
function judged(path: string, source = "user_settings"): string | null {
  const change = { session: "s", cwd: join(root, "work"), source, path };
  const answer = judgeSettings(change, standing);
  if (!answer.ok) throw new Error(answer.cause);
  return answer.value?.what ?? null;
}

beforeEach(() => {
  rmSync(root, { recursive: true });
  put(program, "");
  put(user, installed());
  put(keptPath(tamaHome, "claude-code", user), "{}");
});

test("a change that leaves Tama's entries passes, whatever else it is", () => {
  expect(judged(user)).toBeNull();
  put(user, installed(program, '{"model":"opus","hooks":{"Stop":[]}}'));
  expect(judged(user)).toBeNull();
  put(local, '{"permissions":{"allow":["Bash"]}}');
  expect(judged(local, "local_settings")).toBeNull();
});

test("every hook switched off in any file is refused, but not what an administrator says", () => {
  for (const [path, source] of [
    [user, "user_settings"],
    [local, "local_settings"],
  ] as const) {
    put(path, '{"disableAllHooks": true}');
    expect(judged(path, source)).toContain('"disableAllHooks": true');
  }
  expect(judged(local, "policy_settings")).toBeNull();
  put(local, '{"disableAllHooks": false}');
  expect(judged(local, "local_settings")).toBeNull();
});

test("Tama's plugin switched off is refused, another's is not", () => {
  put(local, '{"enabledPlugins":{"other@tama":false,"tama@tama":true}}');
  expect(judged(local, "local_settings")).toBeNull();
  put(local, '{"enabledPlugins":{"tama@team":false}}');
  expect(judged(local, "local_settings")).toContain("switches the plugin tama@team off");
});

test("a file that does not parse is refused, since it would be dropped whole", () => {
  for (const text of ["{", "[]", '{"hooks":[]}', '{"hooks":{"Stop":[{"command":"x"}]}}']) {
    put(user, text);
    expect(judged(user)).toContain("drop the whole file");
  }
});

test("entries that are gone, narrowed, or start another program are refused, naming the events", () => {
  const changes: ((text: string) => string)[] = [
    () => "{}",
    (text) => text.replace("PreToolUse", "PreToolUsed"),
    (text) => text.replace('"matcher": "*"', '"matcher": "Bash"').replace('"matcher":"*"', '"matcher":"Bash"'),
    (text) =>
      text
        .replace('"type":"command",', '"type":"command","if":"Bash(x)",')
        .replace('"type": "command",', '"type": "command", "async": true,'),
    (text) => text.replaceAll(program, "/nowhere/tama"),
    (text) => text.replaceAll(" run-hook", "; true run-hook"),
  ];
  for (const change of changes) {
    put(user, change(installed()));
    expect(judged(user)).toContain("no longer asks Tama at");
  }
  rmSync(user);
  expect(judged(user)).toContain("no longer asks Tama at PreToolUse, ");
});

test("entries in another file, the same program by another path, and Tama's own uninstallation pass", () => {
  put(local, installed());
  put(user, "{}");
  expect(judged(user)).toBeNull();
  rmSync(local);
  put(join(root, "link", "beside"), "");
  symlinkSync(program, join(root, "link", "tama"));
  put(user, installed(join(root, "link", "tama")));
  expect(judged(user)).toBeNull();
  rmSync(keptPath(tamaHome, "claude-code", user));
  put(user, "{}");
  expect(judged(user)).toBeNull();
});
