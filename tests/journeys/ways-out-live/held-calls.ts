import { expect } from "bun:test";
import { join } from "node:path";
import { until } from "../until.ts";
import { attested, read, shell, write } from "./acts.ts";
import { oko } from "./oko-stand-in.ts";
import { printed, printedLine } from "./printed.ts";
import type { Play } from "./seat.ts";

const heldSame = "this session's same call was failed at ";

/** The ways out of a failed call that is held, in the order in which the refusal names them. */
export const repeatHold: Readonly<Record<string, Play>> = {
  "repeat: a successful write releases the call": async function* () {
    yield shell("cat written.txt");
    expect(yield shell("cat written.txt")).toContain(`${heldSame}`);
    yield write("written.txt", "one\n");
    expect(yield shell("cat written.txt")).toStartWith("one");
    return attested("The file that was missing is written.");
  },
  "repeat: any call that changes something releases the call": async function* () {
    yield shell("cat made.txt");
    expect(yield shell("cat made.txt")).toContain("any call that changes something, releases it");
    yield shell("touch made.txt");
    expect(yield shell("cat made.txt")).not.toContain(heldSame);
    return attested("The file that was missing is made.");
  },
  "repeat: a changed call runs": async function* () {
    yield shell("cat changed.txt");
    expect(yield shell("cat changed.txt")).toContain("or send a changed call");
    expect(yield shell("cat changed.txt || echo none")).toContain("none");
    return attested("There is no such file, so nothing had to change.");
  },
  "repeat: `tama calls retry` lets the call run": async function* ({ person, work }) {
    yield shell("cat given.txt");
    const held = yield shell("cat given.txt");
    await person(`echo one > ${work}/given.txt`);
    const line = printed(held, "tama calls retry ");
    expect(line).toEndWith(' --because "<what changed>"');
    expect(yield shell(line.replace("<what changed>", "someone gave the file"))).not.toContain("BLOCKED");
    expect(yield shell("cat given.txt")).toStartWith("one");
    return attested("The file that was missing was given.");
  },
  "repeat: `oko defects record`, then the defect's `show`, `fix` and `verify`": async function* ({ person, tools }) {
    tools.put("oko", oko);
    try {
      yield shell("cat broken.txt");
      const held = yield shell("cat broken.txt");
      const record = printed(held, "oko defects record ");
      expect(record).toBe('oko defects record "<title>" --blocks "<PROGRAM WORDS>"');
      const filled = record.replace("<title>", "cat gives nothing").replace("<PROGRAM WORDS>", "cat broken.txt");
      expect(yield shell(filled)).toContain("D-1 is recorded: cat gives nothing");
      const bound = yield shell("cat broken.txt");
      expect(bound).toContain("Oko's open defect D-1 binds this call");
      expect(yield shell(printed(bound, "oko defects show "))).toContain("D-1 is open");
      yield shell("touch broken.txt");
      expect(yield shell(printed(bound, "oko defects fix ").replace("<commit>", "abc123"))).toContain("D-1 is fixed");
      expect(yield shell(printed(bound, "oko defects verify "))).toContain("D-1 is verified");
      expect(yield shell("cat broken.txt")).not.toContain("BLOCKED");
      return attested("The defect that bound the call is repaired.");
    } finally {
      tools.take("oko");
      await person("rm -rf ~/.oko ~/.oko-blocks");
    }
  },
};

const heldLook = "BLOCKED: this exact call already ran at ";

/** The ways out of a look made twice. */
export const repeatedLook: Readonly<Record<string, Play>> = {
  "block-wait-polling: any change lets the look pass": async function* () {
    yield shell("ls -a");
    expect(yield shell("ls -a")).toContain(heldLook);
    yield shell("touch after-a-look.txt");
    expect(yield shell("ls -a")).toContain("after-a-look.txt");
    return attested("The folder has its file.");
  },
  "block-wait-polling: the same read of a file passes after a change": async function* ({ work }) {
    const file = join(work, "read.txt");
    yield write(file, "one\n");
    yield read(file);
    const held = yield read(file);
    expect(held).toContain(heldLook);
    expect(held).not.toContain("tama wait");
    yield shell("echo two > read.txt");
    expect(yield read(file)).toContain("two");
    return attested("The file says two.");
  },
  ...Object.fromEntries(
    [
      "ls -1",
      "ls -1 | sort",
      "cd . && ls -1 'a place'",
      "test -d 'a place' && ls -1 \"$PWD/a place\"",
      "echo 'a place'/*",
    ].map((line): [string, Play] => [
      `block-wait-polling: \`tama wait\` for ${line} ends with its new answer`,
      async function* ({ person, running, work }) {
        yield shell("mkdir -p 'a place' && rm -f arrived.txt 'a place/arrived.txt'");
        yield shell(line);
        const held = yield shell(line);
        expect(held).toContain(heldLook);
        const wait = printedLine(held, "tama wait ");
        const arrives = until("the wait", () => running().some((command) => command.includes("tama wait"))).then(() =>
          person(`touch ${work}/arrived.txt ${work}/'a place/arrived.txt'`),
        );
        const waited = yield shell(wait);
        await arrives;
        expect(waited).toContain("arrived.txt");
        return attested("What was waited for is there.");
      },
    ]),
  ),
};
