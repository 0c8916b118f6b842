import { describe, expect, test } from "bun:test";
import { type Ledger, ledgerFold } from "../../transcript/ledger.ts";
import { parseEvent } from "../../words/event.ts";
import type { LedgerFact } from "../gate.ts";
import { pleaIn } from "../pleas.ts";
import { blockStopOnOwnWork } from "./block-stop-on-own-work.ts";

interface Setting {
  readonly ledger?: Partial<Ledger>;
  readonly attestation?: readonly string[];
  readonly programs?: readonly string[];
  readonly fact?: LedgerFact;
}

function refusedFor(answer: string, setting: Setting = {}): string {
  const event = parseEvent("stop", { answer, session: "s" });
  if (typeof event === "string") throw new Error(event);
  const ledger = { ...ledgerFold.empty(), ...setting.ledger };
  const programs = setting.programs ?? ["pbcopy", "git"];
  const facts = {
    ledger: setting.fact ?? ({ kind: "read", ledger, format: "omp", answerTo: () => null } as const),
    attestation: setting.attestation ?? [],
    programThere: (program: string) => programs.includes(program),
    shells: [],
  };
  const refusal = blockStopOnOwnWork.decide({ event, harness: "omp", facts });
  return refusal === null ? "pass" : `${refusal.what} ${refusal.instead}`;
}

describe("an ending said again", () => {
  const ledger = { refusedEndings: ["the tests are green and everything is done"] };
  test("is refused, however it is spaced or set off", () => {
    expect(refusedFor("The tests are **green**,\nand everything is done!", { ledger })).toStartWith(
      "this ending says again what an earlier refused ending said",
    );
  });
  test("is refused within a longer one, unless it is only a word or two", () => {
    const long = "the whole suite passes on this machine now and every item of the list that you gave me is done";
    expect(refusedFor(`Again: ${long}.`, { ledger: { refusedEndings: [long] } })).toStartWith("this ending says again");
    expect(refusedFor("It is done: I moved the lock.", { ledger: { refusedEndings: ["it is done"] } })).toBe("pass");
  });
  test("passes when it says something else, or nothing was refused", () => {
    expect(refusedFor("I moved the lock out of the loop.", { ledger })).toBe("pass");
    expect(refusedFor("The tests are green.")).toBe("pass");
  });
});

const pleas: readonly string[] = [
  "Please run the migration on your machine.",
  "Now you need to restart the server.",
  "Could you run the tests?",
  "Let me know if you want the other layout.",
  "Should I push it?",
  "Which option do you prefer?",
  "I am waiting for your approval.",
  "Run the following command:",
  "Proszę uruchomić migrację.",
  "Czy mam to wypchnąć?",
  "Daj znać, czy tak zostaje.",
  "Uruchom: npm ci",
  "Musisz zrestartować serwer.",
];
const noPleas: readonly string[] = [
  "I ran the migration; it passed.",
  "The server restarts by itself when you save a file.",
  "Users can choose a theme in the settings.",
  "> Please run the migration",
  "```sh\n# please run this\nmake\n```",
  "The button says `Please confirm`.",
  "The function should return null.",
  "Skrypt uruchomił migrację i zakończył się bez błędu.",
  "I decided for the first option, because it needs no lock.",
];

describe("a plea", () => {
  for (const plea of pleas) test(`is: ${plea}`, () => expect(pleaIn(plea)).not.toBeNull());
  for (const other of noPleas) test(`is not: ${other}`, () => expect(pleaIn(other)).toBeNull());

  const asks = "Done. Please run the push.";
  test("needs one command on the clipboard, and the refusal says how", () => {
    expect(refusedFor(asks)).toContain("no call since the person's last message put a command on the clipboard");
    expect(refusedFor(asks)).toContain("| pbcopy");
    expect(refusedFor(asks, { ledger: { clipboard: { text: "git push\n" } } })).toBe("pass");
    expect(refusedFor(asks, { ledger: { clipboard: { text: null } } })).toBe("pass");
  });
  test("and it is the clipboard itself that is named, as this machine has it", () => {
    for (const [program, line] of [
      ["xclip", "| xclip -selection clipboard"],
      ["xsel", "| xsel --clipboard --input"],
      ["clip.exe", "| clip.exe"],
    ] as const)
      expect(refusedFor(asks, { programs: [program] })).toEndWith(`printf '%s' '<command>' ${line}`);
  });
  test("is refused when what was copied is not one command, does not parse or its program is not here", () => {
    const copied = (text: string): string => refusedFor(asks, { ledger: { clipboard: { text } } });
    expect(copied("git push (")).toContain("no command a shell can parse");
    expect(copied(" \n# later")).toContain("no command a shell can parse");
    expect(copied("nosuch --now")).toContain("not on this machine: nosuch");
    expect(copied("git add . && nosuch")).toContain("not on this machine: nosuch");
    expect(copied("git add .\ngit push\n")).toContain("2 commands");
    expect(copied("cd web && git add . && git push | git column")).toBe("pass");
    expect(copied("for f in a b; do\n  git add $f\ndone\n")).toBe("pass");
  });
  test("without a clipboard one command in a fence stands for it", () => {
    const programs = ["git"];
    const refused = refusedFor(asks, { programs });
    expect(refused).toContain("this machine has no clipboard");
    // A fence with a command that never ran here would be refused by block-unchecked-operator-commands.
    expect(refused).toContain("run exactly one command here");
    expect(refusedFor(`${asks}\n\n\`\`\`sh\ngit push\n\`\`\``, { programs })).toBe("pass");
    expect(refusedFor(`${asks}\n\n\`\`\`sh\ngit add . && git push | git column\n\`\`\``, { programs })).toBe("pass");
    expect(refusedFor(`${asks}\n\n\`\`\`sh\ngit add .\ngit push\n\`\`\``, { programs })).toContain("2 commands");
    expect(refusedFor(`${asks}\n\n\`\`\`sh\ngit push <remote>\n\`\`\``, { programs })).toContain(
      "there is: no command",
    );
  });
});

test("the attestation stands word for word, however it is wrapped", () => {
  const attestation = ["I hand back no decision that was mine.", "I stopped at no limit."];
  expect(refusedFor("Done. I hand back no decision\nthat was mine. I stopped at no limit.", { attestation })).toBe(
    "pass",
  );
  const refused = refusedFor("Done. I stopped at no limit.", { attestation });
  expect(refused).toStartWith("this ending does not carry its attestation word for word.");
  expect(refused).toContain(attestation.join("\n"));
  // These lines alone are no work, and the refused words with them are said again: each would be refused in turn.
  expect(refused).toContain("make sure by a look not made yet. Then end in other words");
});

test("a transcript that cannot be read refuses naming the line", () => {
  const fact = {
    kind: "unreadable",
    path: "/t",
    cause: "the line starting at byte 4 is not a JSON record: x",
    byte: 4,
  } as const;
  expect(refusedFor("Done.", { fact })).toStartWith("the session transcript /t cannot be read as records, so whether");
});
