import { describe, expect, test } from "bun:test";
import { parseEvent } from "../../words/event.ts";
import type { ProtectedPlaces } from "../gate.ts";
import { blockGateTampering } from "./block-gate-tampering.ts";

const places: ProtectedPlaces = {
  userHome: "/home/ann",
  cwd: "/srv/app",
  places: () => [
    { path: "/home/ann/.tama", what: "Tama's own state", folder: true },
    { path: "/home/ann/.oko", what: "Oko's data", folder: true },
    { path: "/home/ann/.omp/agent/extensions/tama.ts", what: "Tama's adapter in OMP", folder: false },
    { path: "/home/ann/.claude/settings.json", what: "the settings that call Tama", folder: false },
  ],
  liesAt: (path) => (path === "/srv/app/link" ? "/home/ann/.tama/registry.json" : path),
};

function decide(tool: string, input: object): string {
  const event = parseEvent("tool_call", { tool, input });
  if (typeof event === "string") throw new Error(event);
  const refusal = blockGateTampering.decide({ event, harness: "omp", facts: { places } });
  return refusal === null ? "pass" : `${refusal.what} ${refusal.instead}`;
}

const refused: readonly string[] = [
  "tama hooks withdraw block-gate-tampering",
  "/usr/local/bin/tama hooks declare --file x.json",
  "cd /tmp && tama uninstall omp",
  "env A=1 tama grant once --session s --hook h --because x",
  "bash -c 'tama hooks withdraw --all'",
  "TAMA_HOME=~/.tama tama hooks withdraw x",
  "TAMA_HOME=$HOME/.tama tama hooks withdraw x",
  "tama model-provider set --base-url http://127.0.0.1:1 --model m",
  "tama install",
  "tama wait -- tama hooks withdraw x",
  "tama wait -- 'tama hooks withdraw x'",
  "tama wait --session s --for 2m -- sh -c 'tama hooks withdraw x'",
  "tama wait -- 'cd ~/.tama; rm registry.json'",
  "oko purgatory verdict worst s 1 --text x",
  "oko rulings enforce R-1 --mechanism m",
  "rm ~/.tama/failed-calls/s.json",
  "rm -rf $HOME/.tama",
  "rm -rf ~/.tama/*",
  "rm -rf /home/ann",
  "mv ~/.tama ~/.tama.bak",
  "cd ~/.tama && rm registry.json",
  "echo '{}' > ~/.tama/registry.json",
  "echo '{}' | tee /home/ann/.tama/registry.json",
  "sed -i s/a/b/ /home/ann/.claude/settings.json",
  "cp evil.ts ~/.omp/agent/extensions/tama.ts",
  "dd if=/dev/null of=/home/ann/.tama/registry.json",
  "rm link",
  "ls > ../../home/ann/.oko/defects.json",
];

const passed: readonly string[] = [
  "tama calls retry 0123456789abcdef --session s --because 'server is up'",
  "tama calls failed --session s",
  "tama hooks declared",
  "tama hooks running --json",
  "tama install --plan",
  "tama why r-abc",
  "TAMA_HOME=/tmp/other tama hooks declare --file x.json",
  "cat ~/.tama/registry.json",
  "ls -la ~/.tama && grep -r x ~/.oko",
  "cp ~/.tama/log/s.jsonl .",
  "jq . < ~/.tama/registry.json > out.json",
  "tar czf backup.tgz ~/.tama",
  "rm -rf node_modules dist",
  "git commit -am 'tama hooks withdraw'",
  "echo 'tama uninstall' >> notes.md",
  "mkdir -p ~/.omp/agent/extensions",
  "npm install",
  "oko purgatory confess --session s",
];

describe("block-gate-tampering", () => {
  for (const command of refused) {
    test(`refuses ${command}`, () => expect(decide("bash", { command })).toContain("this call would"));
  }
  for (const command of passed) {
    test(`passes ${command}`, () => expect(decide("bash", { command })).toBe("pass"));
  }

  test("refuses a write tool on a protected file and names the person's act", () => {
    const said = decide("write", { path: "/home/ann/.tama/settings.json", content: "{}" });
    expect(said).toContain("which is Tama's own state");
    expect(said).toContain("a person edits /home/ann/.tama/settings.json themselves");
    expect(decide("edit", { path: "link", old: "a", new: "b" })).toContain("Tama's own state");
    expect(decide("write", { path: "src/tama.ts", content: "" })).toBe("pass");
    expect(decide("read", { path: "/home/ann/.tama/registry.json" })).toBe("pass");
  });

  test("prints the command for the person", () => {
    expect(decide("bash", { command: "tama hooks withdraw x" })).toContain("terminal: tama hooks withdraw x");
  });
});

describe("the printed line does at a person's own terminal what it would have done here", () => {
  const printed = (command: string): string | undefined =>
    /at their own terminal: ([\s\S]*)$/.exec(decide("bash", { command }))?.[1];
  for (const [line, shown] of [
    ["tama hooks withdraw x", "tama hooks withdraw x"],
    [
      `tama grant once --session s --hook h --because "it's mine"`,
      "tama grant once --session s --hook h --because 'it'\\''s mine'",
    ],
    ["tama hooks declare --file 'a b.json'", "cd /srv/app && tama hooks declare --file 'a b.json'"],
    ["cd web && tama hooks declare --file=x.json", "cd /srv/app/web && tama hooks declare --file=x.json"],
    ["tama hooks declare --file /a/x.json", "tama hooks declare --file /a/x.json"],
    ["tama install omp --project", "cd /srv/app && tama install omp --project"],
    ['tama hooks withdraw "$ID"', 'cd /srv/app && tama hooks withdraw "$ID"'],
    ["echo x > link", "cd /srv/app && echo x > link"],
    ["echo 'a b' > ~/.tama/registry.json", "echo 'a b' > ~/.tama/registry.json"],
    ["rm /home/ann/.tama/registry.json", "rm /home/ann/.tama/registry.json"],
  ] as const)
    test(line, () => expect(printed(line)).toBe(shown));
});
