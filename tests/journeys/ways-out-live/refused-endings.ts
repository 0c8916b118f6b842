import { expect } from "bun:test";
import { attestation } from "../../../src/gates/attestation.ts";
import { attested, say, shell, write } from "./acts.ts";
import { printedLine } from "./printed.ts";
import type { Act, Play } from "./seat.ts";

const fenced = (words: string, line: string): string => `${words}\n\n\`\`\`sh\n${line}\n\`\`\``;
const noAttestation = "this ending does not carry its attestation word for word";
/** Longer than what an ending may say again in passing. */
const long =
  "The notes hold what was asked for: each of the three parts is there, in the order in which the person named them, with its own heading.";

/** The commands that a refused ending handed over, as the refusal lists them. */
function listed(told: string): readonly string[] {
  const list = /never ran itself:\n((?: {2}.*\n)+)/.exec(told)?.[1];
  if (list === undefined) throw new Error(`no command is listed in:\n${told}`);
  return list.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.slice(2)] : []));
}

/** Handed over, refused, run as listed, handed over once more with nothing else changed. */
function handsOver(...lines: readonly string[]): Play {
  return async function* () {
    const handed = lines.join("\n");
    yield write("handed.txt", `${lines.length}\n`);
    const refused = yield attested(fenced(long, handed));
    expect(refused).toContain("BLOCKED: block-unchecked-operator-commands: this answer hands over commands");
    for (const line of listed(refused)) expect(yield shell(line)).not.toContain("BLOCKED");
    expect(refused).toContain("then end anew with what they answered, in other words");
    return attested(fenced("All three parts of the notes are there. What I ran answered as you see above.", handed));
  };
}

function passesAfter(...work: readonly Act[]): Play {
  return async function* () {
    yield write("idle.txt", "one\n");
    yield say("All of it is written now.");
    const idle = yield attested("It is all written, as I said.");
    expect(idle).toContain("BLOCKED: block-idle-answer: ");
    expect(idle).toContain("make a change, or take a look not made yet");
    for (const act of work) expect(yield act).not.toContain("BLOCKED");
    return attested("It is all written, and looked through.");
  };
}

export const refusedEndings: Readonly<Record<string, Play>> = {
  "block-unchecked-operator-commands: what is listed is run here, then handed over, though it only looks": handsOver(
    "ls -l",
    "git --version",
  ),
  "block-unchecked-operator-commands: so also what fails, and words that a shell takes apart": handsOver(
    "npm run deploy",
    `printf '%s\\n' "it's" 'a "b" $c' > handed-words.txt && cat handed-words.txt`,
  ),
  "block-gate-tampering: what is printed for a person may be handed on in a fence, without a clipboard too":
    async function* ({ tools }) {
      tools.take("pbcopy");
      yield write("handed-on.txt", "one\n");
      const refused = yield shell("tama hooks withdraw block-idle-answer");
      const line = printedLine(refused, "a person runs it at their own terminal: ").split(": ").slice(1).join(": ");
      yield shell("cat handed-on.txt");
      return attested(fenced("The gate stands until its person takes it out. Please run it.", line));
    },
  "block-unchecked-operator-commands: in a fence of another language it may be read": async function* () {
    yield write("ship.txt", "one\n");
    const refused = yield attested(fenced("The file is written.", "ship it"));
    expect(refused).toContain("a fence of another language");
    yield shell("cat ship.txt");
    return attested("The file is written.\n\n```text\nship it\n```");
  },
  "block-idle-answer: a change earns an ending": passesAfter(shell("touch idle-change.txt")),
  "block-idle-answer: a look not made yet earns an ending": passesAfter(shell("cat idle.txt")),
  "block-stop-on-own-work: the printed attestation ends the session": async function* () {
    yield write("attested.txt", "one\n");
    const refused = yield say(long);
    expect(refused).toContain(noAttestation);
    const lines = refused
      .slice(refused.indexOf(attestation[0] ?? "?"))
      .split("\n")
      .slice(0, attestation.length);
    expect(refused).toContain("a look not made yet. Then end in other words than those refused");
    yield shell("cat attested.txt");
    return say(`The notes are whole: I read them once more.\n\n${lines.join("\n")}`);
  },
  "block-stop-on-own-work: work ends what was said again": async function* () {
    yield write("again.txt", "one\n");
    yield say(long);
    yield shell("cat again.txt");
    const refused = yield say(long);
    expect(refused).toContain("says again what an earlier refused ending said");
    expect(refused).toContain("an edit, a command that changes something");
    yield shell("echo two >> again.txt");
    return attested(long);
  },
  "block-stop-on-own-work: other words, with what a look showed, are not said again": async function* () {
    yield write("other.txt", "one\n");
    yield say(long);
    yield shell("cat other.txt");
    expect(yield say(long)).toContain("take a look not made yet and end in other words, with what it showed");
    yield shell("wc -l other.txt");
    return attested("The notes hold one line, and that is all they were to hold.");
  },
  "block-stop-on-own-work: the printed copy puts the plea's one command on the clipboard, in place of none and of one that cannot run":
    async function* ({ tools, work }) {
      tools.put("pbcopy", `cat > '${work}/clipboard'`);
      const asks = "The push needs your key. Please run it.";
      yield write("push.txt", "one\n");
      const none = yield attested(asks);
      expect(none).toContain("no call since the person's last message put a command on the clipboard");
      yield shell(printedLine(none, "printf '%s' '<command>'").replace("<command>", "nosuch --now"));
      const cannot = yield attested(asks);
      expect(cannot).toContain("not on this machine: nosuch");
      const copied = yield shell(printedLine(cannot, "printf '%s' '<command>'").replace("<command>", "git push"));
      expect(copied).not.toContain("BLOCKED");
      expect(await Bun.file(`${work}/clipboard`).text()).toBe("git push");
      return attested(asks);
    },
  "block-stop-on-own-work: without a clipboard one command in a fence, run here first, stands for it":
    async function* ({ tools }) {
      tools.take("pbcopy");
      const words = "The push needs your key. Please run it.";
      yield write("no-clipboard.txt", "one\n");
      const refused = yield attested(words);
      expect(refused).toContain("this machine has no clipboard");
      expect(refused).toContain("run exactly one command here");
      yield shell("git push");
      return attested(fenced(words, "git push"));
    },
};
