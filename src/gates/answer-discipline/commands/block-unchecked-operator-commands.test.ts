import { describe, expect, test } from "bun:test";
import { parseEvent } from "../../../words/event.ts";
import type { RanLinesFact } from "../../gate.ts";
import { blockUncheckedOperatorCommands } from "./block-unchecked-operator-commands.ts";

function unchecked(ran: readonly string[], answer: string, fact?: RanLinesFact): readonly string[] {
  const event = parseEvent("stop", { answer, session: "s" });
  if (typeof event === "string") throw new Error(event);
  const ranLines = (): RanLinesFact => fact ?? { kind: "read", lines: ran };
  const refusal = blockUncheckedOperatorCommands.decide({
    event,
    harness: "omp",
    facts: { ranLines, shells: ["dash"] },
  });
  return refusal === null ? [] : (refusal.evidence ?? refusal.what).split("\n");
}

const fence = (body: string, language = "sh"): string => `Run:\n\n\`\`\`${language}\n${body}\n\`\`\`\n`;

const refused: readonly (readonly [name: string, ran: readonly string[], answer: string, lines: readonly string[]])[] =
  [
    ["a shell the system declares", [], fence("reboot", "dash"), ["reboot"]],
    ["in a quote", [], "> ```sh\n> terraform apply\n> ```\n", ["terraform apply"]],
    ["after an info string's other words", [], fence("npm ci", "bash title=x"), ["npm ci"]],
    ["another path of the same name", ["deploy.sh"], fence("./deploy.sh"), ["./deploy.sh"]],
    ["one word more", ["npm run build"], fence("npm run build --prod"), ["npm run build --prod"]],
    ["one word less", ["git push origin main"], fence("git push"), ["git push"]],
    ["both ends of a pipe", [], fence("curl -fsSL https://a.b/i.sh | sh"), ["curl -fsSL https://a.b/i.sh", "sh"]],
    ["inside a loop", [], fence("for f in *.sql; do psql -f all.sql; done"), ["psql -f all.sql"]],
    ["in a substitution", ["echo x"], fence("kill $(cat app.pid)"), ["kill $(cat app.pid)", "cat app.pid"]],
    ["a redirection to another file", ["cat > .env"], fence("cat > /etc/app.env"), ["cat > /etc/app.env"]],
    ["behind sudo", ["systemctl status web"], fence("sudo systemctl restart web"), ["sudo systemctl restart web"]],
    ["a root prompt", [], fence("# systemctl restart web\nok", "console"), ["systemctl restart web"]],
    ["a prompt in a shell fence", [], fence("$ make ship\nshipped"), ["make ship"]],
    ["a continued prompt", [], fence("$ docker run \\\n> web\nstarted", "console"), ["docker run web"]],
    ["a fence that is never closed", [], "```sh\nmake ship\n", ["make ship"]],
    ["fish, which does not parse", [], fence("if test -d x\n  rm x\nend", "fish"), ["if test -d x", "rm x", "end"]],
    [
      "a placeholder stands for no nothing",
      ["git push origin"],
      fence("git push origin <branch>"),
      ["git push origin <branch>"],
    ],
  ];

const passed: readonly (readonly [name: string, ran: readonly string[], answer: string])[] = [
  ["an indented block", [], "Text:\n\n    terraform apply\n"],
  ["another language", [], fence("terraform apply", "hcl")],
  ["plain text", [], fence("terraform apply", "text")],
  ["only a comment", [], fence("# nothing to do")],
  ["an assignment alone", [], fence("A=1")],
  ["output behind a prompt", ["make"], fence("$ make\ncc main.c\n# done", "console")],
  ["quoted otherwise", ['git commit -m "a b"'], fence("git commit -m 'a b'")],
  ["inside bash -c", ["bash -c 'npm ci && npm test'"], fence("npm ci\nnpm test")],
  ["behind timeout and sudo", ["sudo timeout 5 systemctl restart web"], fence("systemctl restart web")],
  ["a placeholder within a word", ["ssh ann@10.0.0.1 uptime"], fence("ssh <user>@<host> uptime")],
  ["a placeholder of several words", ["git tag v1.2"], fence("git tag <your version>")],
  ["a continued here-document at a prompt", ["cat <<E > a\nx\nE"], fence("$ cat <<E > a\n> x\n> E\n", "console")],
  [
    "the same line of a shell that does not parse",
    ["if test -d x; rm x; end"],
    fence("if test -d x; rm x; end", "fish"),
  ],
];

describe("block-unchecked-operator-commands", () => {
  for (const [name, ran, answer, lines] of refused)
    test(`refuses ${name}`, () => expect(unchecked(ran, answer)).toEqual([...lines]));
  for (const [name, ran, answer] of passed) test(`passes ${name}`, () => expect(unchecked(ran, answer)).toEqual([]));

  test("a transcript that cannot be read refuses naming why, and is not asked where nothing is handed over", () => {
    const broken: RanLinesFact = { kind: "unreadable", path: "/t", cause: "the line starting at byte 3 …", byte: 3 };
    expect(unchecked([], fence("ls"), broken)[0]).toStartWith(
      "the session transcript /t cannot be read as records, so",
    );
    expect(unchecked([], fence("ls"), { kind: "none", named: false })[0]).toContain("names no transcript");
    expect(unchecked([], "Done.", broken)).toEqual([]);
    expect(unchecked([], fence("ls"), { kind: "none", named: true })).toEqual(["ls"]);
  });
});
