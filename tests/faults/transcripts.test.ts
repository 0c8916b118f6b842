import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, closeSync, openSync, renameSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Happening, writtenTranscript } from "../cases/written-transcript.ts";
import { makeWorld, tamaBinary, type World } from "../journeys/tama-command.ts";
import { patience, scaled, verdict } from "./fault-run.ts";

// Fault 8: broken and odd transcripts, before each gate that reads one. What a reader can make sense of is judged as if nothing were odd;
// what it cannot is refused with its byte, and never passed (block-idle-answer judges nothing then, and says so). Memory stays bounded.

let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world.remove());

const memoryMax = 300 * 1024 * 1024;
/** Lines past this are refused by their byte; src/transcript/records.ts says why. */
const lineMax = 32 * 1024 * 1024;

const ran = (command: string): Happening => ({
  call: { tool: "bash", input: { command } },
  answer: { isError: false, text: "x" },
});
/** After it each gate has something to refuse, or (handed commands) something to pass. */
const story: readonly Happening[] = [{ person: "go" }, ran("cat a"), { says: "All is done." }, { refusedStop: "no" }];
const lines = writtenTranscript("omp", story).trimEnd().split("\n");
const odd = JSON.stringify({ type: "custom", customType: "odd", data: "odd" });

interface Fault {
  readonly name: string;
  /** What stands as a line of its own before the story's last records. */
  readonly line: string | Uint8Array;
  readonly broken: boolean;
  readonly whole?: (text: string) => string;
  /** The line is made as long as `bigBytes` by text in it. */
  readonly grown?: true;
}

/** Written in pieces: a child's memory is reported with what its parent held when it started it. */
const bigBytes = scaled(200 * 1024 * 1024);
const faults: readonly Fault[] = [
  { name: "nothing odd", line: odd, broken: false },
  { name: "NUL run", line: "\0".repeat(300), broken: true },
  { name: "raw newline in a string", line: '{"type":"custom","data":"a\nb"}', broken: true },
  {
    name: "bad UTF-8",
    line: Buffer.concat([Buffer.from('{"type":"custom","data":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    broken: true,
  },
  { name: "no object", line: "[1,2]", broken: true },
  { name: "half a record glued to one", line: `{"type":"cust${odd}`, broken: true },
  { name: "two records on one line", line: `${odd}${odd}`, broken: false },
  { name: "U+2028", line: JSON.stringify({ type: "custom", data: "a\u2028b" }), broken: false },
  { name: "blank lines", line: "\n \n\t", broken: false },
  { name: "BOM and CRLF", line: odd, broken: false, whole: (text) => `\ufeff${text.replaceAll("\n", "\r\n")}` },
  { name: "torn tail", line: odd, broken: false, whole: (text) => `${text}{"type":"mess` },
  { name: "one line of up to 200 MB", line: odd, broken: bigBytes > lineMax, grown: true },
];

interface Asked {
  readonly code: number | null;
  readonly stderr: string;
  readonly memory: number;
}

async function ask(gate: string, transcript: string, event: object): Promise<Asked> {
  const stdin = JSON.stringify({ ...event, session: "s", cwd: world.root, transcript, tama: { harness: "omp" } });
  const child = Bun.spawn([tamaBinary, "hook", gate], {
    env: world.environment,
    stdin: new Blob([stdin]),
    stdout: "ignore",
    stderr: "pipe",
  });
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  return { code, stderr, memory: child.resourceUsage()?.maxRSS ?? 0 };
}

interface GateCase {
  readonly gate: string;
  readonly event: object;
  /** What it says of a transcript it can read. */
  readonly sound: { readonly code: number; readonly says: string };
  readonly brokenCode: number;
}

const gates: readonly GateCase[] = [
  {
    gate: "block-wait-polling",
    event: { event: "tool_call", tool: "bash", input: { command: "cat a" }, call: "now" },
    sound: { code: 2, says: "this exact call already ran" },
    brokenCode: 2,
  },
  {
    gate: "block-idle-answer",
    event: { event: "stop", answer: "All is done." },
    sound: { code: 2, says: "answers again without having worked" },
    brokenCode: 0,
  },
  {
    gate: "block-unchecked-operator-commands",
    event: { event: "stop", answer: "```sh\ncat a\n```" },
    sound: { code: 0, says: "" },
    brokenCode: 2,
  },
  {
    gate: "block-stop-on-own-work",
    event: { event: "stop", answer: "All is done." },
    sound: { code: 2, says: "says again what an earlier refused ending said" },
    brokenCode: 2,
  },
];

const piece = "y".repeat(1024 * 1024);

/** The story with the fault as its last line but two, and the byte at which that line starts. */
function faultyFile(fault: Fault): { readonly path: string; readonly byte: number } {
  const path = join(world.root, `${fault.name.replaceAll(/\W/g, "-")}.jsonl`);
  const before = `${lines.slice(0, -2).join("\n")}\n`;
  const after = `\n${lines.slice(-2).join("\n")}\n`;
  if (fault.grown === true) {
    writeFileSync(path, `${before}{"type":"custom","data":"`);
    for (let size = 0; size < bigBytes; size += piece.length) appendFileSync(path, piece);
    appendFileSync(path, `"}${after}`);
  } else if (typeof fault.line !== "string")
    writeFileSync(path, Buffer.concat([Buffer.from(before), fault.line, Buffer.from(after)]));
  else writeFileSync(path, (fault.whole ?? ((text) => text))(before + fault.line + after));
  return { path, byte: Buffer.byteLength(before) };
}

test(
  "fault 8: each gate over each odd transcript",
  async () => {
    let memory = 0;
    for (const fault of faults) {
      const { path, byte } = faultyFile(fault);
      for (const { gate, event, sound, brokenCode } of gates) {
        const asked = await ask(gate, path, event);
        memory = Math.max(memory, asked.memory);
        const seen = { fault: fault.name, gate, code: asked.code };
        expect(seen).toEqual({ ...seen, code: fault.broken ? brokenCode : sound.code });
        expect(asked.stderr).toContain(
          fault.broken ? `the line starting at byte ${byte} is not a JSON record` : sound.says,
        );
      }
    }
    verdict(8, faults.length * gates.length, "a gate over an odd transcript", {
      "judged for a reason it could not read": 0,
      "MB at most": Math.round(memory / 1024 / 1024),
    });
    expect(memory).toBeLessThan(memoryMax);
  },
  patience,
);

const look = { event: "tool_call", tool: "bash", input: { command: "cat a" }, call: "now" };
const filler = `${JSON.stringify({ type: "custom", data: "z".repeat(2000) })}\n`;

test("fault 8: a file replaced, shortened, or its title rewritten, after a part of it was remembered", async () => {
  const path = join(world.root, "moving.jsonl");
  const text = (...more: Happening[]): string =>
    writtenTranscript("omp", [...story.slice(0, 1), ran("cat a"), ...more]);
  const whole = text() + filler.repeat(60);
  const cases: readonly (readonly [name: string, move: () => void, code: number])[] = [
    ["untouched", () => {}, 2],
    ["appended to", () => appendFileSync(path, writtenTranscript("omp", [{ person: "and now?" }])), 0],
    [
      "replaced",
      () => {
        writeFileSync(`${path}.new`, text({ person: "and now?" }) + filler.repeat(60));
        renameSync(`${path}.new`, path);
      },
      0,
    ],
    ["shortened", () => truncateSync(path, Buffer.byteLength(text()) - 300), 0],
    ["rewritten in place", () => writeFileSync(path, text({ person: "and now?" }) + filler.repeat(80)), 0],
    ["title rewritten", () => rewriteTitle(path), 2],
  ];
  for (const [name, move, code] of cases) {
    writeFileSync(path, whole);
    expect((await ask("block-wait-polling", path, look)).code).toBe(2);
    move();
    expect({ name, code: (await ask("block-wait-polling", path, look)).code }).toEqual({ name, code });
  }
});

function rewriteTitle(path: string): void {
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, lines[0]?.replace('"title":""', '"title":"x"').replace(" ", "") ?? "", 0);
  closeSync(descriptor);
}

test(
  "fault 8: 600 MB cost memory no more than a small file, and a second look what was appended",
  async () => {
    const path = join(world.root, "long.jsonl");
    writeFileSync(path, `${lines.slice(0, 2).join("\n")}\n`);
    const block = filler.repeat(500);
    for (let size = 0; size < scaled(600 * 1024 * 1024); size += block.length) appendFileSync(path, block);
    appendFileSync(path, `${lines.slice(2).join("\n")}\n`);
    const first = await ask("block-wait-polling", path, look);
    const second = await ask("block-wait-polling", path, look);
    expect([first.code, second.code]).toEqual([2, 2]);
    expect(first.memory).toBeLessThan(memoryMax);
    verdict(8, 1, "a long transcript", {
      "MB at first": Math.round(first.memory / 1024 / 1024),
      "MB then": Math.round(second.memory / 1024 / 1024),
    });
  },
  patience,
);
