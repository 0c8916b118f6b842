import { expect } from "bun:test";
import { appendFileSync } from "node:fs";
import { until } from "../until.ts";
import { attested, shell } from "./acts.ts";
import { printed, printedLine } from "./printed.ts";
import type { Play } from "./seat.ts";

/** What a subagent is printed names it: its calls and its transcript are its own, and the session's name alone would reach neither. */
export const namingTheSubagent: Readonly<Record<string, Play>> = {
  "repeat: `tama calls retry` lets the subagent's call run": async function* ({ person, work }) {
    yield shell("cat helped.txt");
    const held = yield shell("cat helped.txt");
    await person(`echo one > ${work}/helped.txt`);
    const line = printed(held, "tama calls retry ");
    expect(line).toMatch(/ --session \S+ --agent \S+ --because /);
    expect(yield shell(line.replace("<what changed>", "someone gave the file"))).not.toContain("BLOCKED");
    expect(yield shell("cat helped.txt")).toStartWith("one");
    return attested("The file that was missing was given.");
  },
  "block-wait-polling: `tama wait` ends with the new answer to the subagent's look": async function* ({
    person,
    running,
    work,
  }) {
    yield shell("ls -1 | sort");
    const held = yield shell("ls -1 | sort");
    const wait = printedLine(held, "tama wait ");
    expect(wait).toMatch(/ --session \S+ --agent \S+ --after /);
    const arrives = until("the wait", () => running().some((command) => command.includes("tama wait"))).then(() =>
      person(`touch ${work}/arrived-for-the-subagent.txt`),
    );
    expect(yield shell(wait)).toContain("arrived-for-the-subagent.txt");
    await arrives;
    return attested("What was waited for is there.");
  },
  "a broken line of the subagent's own transcript: the operator accepts it": async function* ({ person, transcript }) {
    yield shell("echo subagent one");
    appendFileSync(transcript(), "\u0000\u0000 torn\n");
    const refused = yield shell("echo subagent two");
    expect(refused).toContain("cannot be read as records, so whether this call repeats a look cannot be told");
    const line = printed(refused, "tama transcript accept ");
    expect(line).toMatch(/ --session \S+ --agent \S+ --because /);
    await person(line.replace("<why it does not matter>", "I wrote that line myself"));
    expect(yield shell("echo subagent two")).toContain("subagent two");
    return attested("Both are said.");
  },
};
