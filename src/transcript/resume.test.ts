import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "./entry.ts";
import { type Fold, type ReadTo, readTranscript, type Saved } from "./resume.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-resume-"));
  path = join(folder, "s.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Texts {
  texts: string[];
}
const fold: Fold<Texts> = {
  empty: () => ({ texts: [] }),
  take: (state, entry: Entry) => {
    if (entry.kind === "person") state.texts.push(entry.text);
  },
};

const title = (name: string): string =>
  `${JSON.stringify({ type: "title", title: name, pad: " ".repeat(20 - name.length) })}\n`;
const head = `${title("")}${JSON.stringify({ type: "session", version: 3, id: "s", cwd: "/" })}\n`;
const said = (text: string): string =>
  `${JSON.stringify({ type: "message", id: text, message: { role: "user", content: text, attribution: "user" } })}\n`;

function read(saved: Saved<Texts> | null = null, accepted: readonly number[] = []): ReadTo<Texts> {
  // As it is kept: through JSON.
  const kept = saved === null ? null : (JSON.parse(JSON.stringify(saved)) as Saved<Texts>);
  const reading = readTranscript({ path, harness: "omp", accepted: new Set(accepted), fold, saved: kept });
  if (reading.kind !== "read") throw new Error(reading.kind);
  return reading;
}

test("only what was appended is read", () => {
  writeFileSync(path, head + said("one"));
  const first = read();
  appendFileSync(path, said("two"));
  const second = read(first.saved);
  expect(second.saved.state.texts).toEqual(["one", "two"]);
  expect(second.appended).toBe(Buffer.byteLength(said("two")));
});

test("a last line without its newline is read once it is whole", () => {
  const line = said("two");
  writeFileSync(path, head + said("one") + line.slice(0, 20));
  const first = read();
  expect(first).toMatchObject({ setAside: true, broken: null });
  appendFileSync(path, line.slice(20));
  expect(read(first.saved).saved.state.texts).toEqual(["one", "two"]);
});

test("a title rewritten in place changes nothing", () => {
  writeFileSync(path, head + said("one"));
  const first = read();
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, title("a name"), 0);
  appendFileSync(path, said("two"));
  expect(read(first.saved).appended).toBe(Buffer.byteLength(said("two")));
});

test("a replaced, shortened or rewritten file is read anew", () => {
  const change: Readonly<Record<string, () => void>> = {
    replaced: () => {
      writeFileSync(`${path}.new`, head + said("one") + said("two"));
      renameSync(`${path}.new`, path);
    },
    shortened: () => truncateSync(path, Buffer.byteLength(head)),
    rewritten: () => writeFileSync(path, head + said("ONE") + said("two") + said("three")),
  };
  const seen = Object.entries(change).map(([name, make]) => {
    writeFileSync(path, head + said("one") + said("two"));
    const { saved } = read();
    make();
    return [name, read(saved).saved.state.texts];
  });
  expect(Object.fromEntries(seen)).toEqual({
    replaced: ["one", "two"],
    shortened: [],
    rewritten: ["ONE", "two", "three"],
  });
});

test("reading stops at a broken line, goes on past an accepted one, and knows the next", () => {
  writeFileSync(path, `${head}${said("one")}{"torn\n${said("two")}junk\n${said("three")}`);
  const first = read();
  const byte = Buffer.byteLength(head + said("one"));
  expect(first.broken?.byte).toBe(byte);
  expect(first.saved.state.texts).toEqual(["one"]);
  const second = read(first.saved, [byte]);
  expect(second.broken?.byte).toBe(byte + 7 + Buffer.byteLength(said("two")));
  expect(read(null, [byte, second.broken?.byte ?? 0]).saved.state.texts).toEqual(["one", "two", "three"]);
});

test("three records on one line are three; half a one among them is none", () => {
  const glued = (...parts: string[]): string => `${parts.map((part) => part.trimEnd()).join("")}\n`;
  writeFileSync(path, head + glued(said('on"e}{'), said("two"), said("three")));
  expect(read().saved.state.texts).toEqual(['on"e}{', "two", "three"]);
  writeFileSync(path, head + glued(said("one"), said("two"), '{"type":"message"'));
  expect(read().broken?.byte).toBe(Buffer.byteLength(head));
});

test("a line over the limit is named by its byte; unfinished it is set aside", () => {
  const long = JSON.stringify({ type: "message", text: "x".repeat(33 * 1024 * 1024) });
  writeFileSync(path, `${head}${long}`);
  expect(read()).toMatchObject({ setAside: true, broken: null });
  appendFileSync(path, `\n${said("after")}`);
  expect(read().broken?.byte).toBe(Buffer.byteLength(head));
  expect(read(null, [Buffer.byteLength(head)]).saved.state.texts).toEqual(["after"]);
});

test("no file is absent; a folder cannot be read", () => {
  const request = { harness: "omp", accepted: new Set<number>(), fold, saved: null };
  expect(readTranscript({ ...request, path: join(folder, "none") }).kind).toBe("absent");
  expect(readTranscript({ ...request, path: folder }).kind).toBe("unreadable");
});
