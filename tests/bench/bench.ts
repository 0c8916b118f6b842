// `bun run bench`: what Tama costs, as ratios to floors measured in the same run. Figures never fail: the exit code is 0
// unless something broke. `--case` names the cases wanted, `--rounds`, `--dispatches` and `--megabytes` scale them, `--json` is for machines.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, flags, productPath } from "../../build.ts";
import { ensureInstalled, projectRoot, withoutTakeover } from "../../workshop/installed.ts";
import { cancelling } from "./cancel.ts";
import { fencesOn } from "./fences.ts";
import type { Row } from "./figures.ts";
import { eightCalls, oneCall } from "./gates.ts";
import type { Ground } from "./ground.ts";
import { longLife } from "./long-life.ts";
import { appendedTo, firstRead } from "./long-transcripts.ts";
import { ownCommand } from "./own-command.ts";
import { replaying } from "./replay.ts";
import { helpAndCalls, oneShot } from "./start-up.ts";
import { tableOf, verdictsOf } from "./table.ts";

const cases: Readonly<Record<string, (ground: Ground) => Promise<readonly Row[]>>> = {
  "one-call": oneCall,
  "eight-calls": eightCalls,
  "one-shot": oneShot,
  "own-command": ownCommand,
  cancel: cancelling,
  "long-life": longLife,
  "start-up": helpAndCalls,
  replay: replaying,
  "first-read": firstRead,
  appended: appendedTo,
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      case: { type: "string", multiple: true },
      rounds: { type: "string", default: "100" },
      dispatches: { type: "string", default: "5000" },
      megabytes: { type: "string", default: "200" },
      json: { type: "boolean", default: false },
    },
  });
  const wanted = values.case ?? Object.keys(cases);
  const unknown = wanted.find((name) => !Object.hasOwn(cases, name));
  if (unknown !== undefined) throw new Error(`no case ${unknown}; there are ${Object.keys(cases).join(", ")}`);
  const bun = await ensureInstalled(projectRoot);
  const folder = mkdtempSync(join(tmpdir(), "tama-bench-"));
  const remark = (text: string): void => console.error(text);
  try {
    const ground: Ground = {
      binary: await product(bun),
      emptyProgram: await emptyProgram(bun, folder),
      lineReader: await built(
        bun,
        folder,
        "line-reader",
        readFileSync(join(import.meta.dir, "line-reader.ts"), "utf8"),
      ),
      rounds: whole(values.rounds, "--rounds"),
      dispatches: whole(values.dispatches, "--dispatches"),
      megabytes: whole(values.megabytes, "--megabytes"),
      remark,
    };
    const loadBefore = load();
    const fences = await fencesOn(ground);
    remark(`fences on: ${fences}`);
    const rows: Row[] = [];
    for (const name of wanted) {
      remark(`measuring ${name} …`);
      rows.push(...((await cases[name]?.(ground)) ?? []));
    }
    const machine = { processors: availableParallelism(), loadBefore, loadAfter: load() };
    console.log(values.json ? JSON.stringify({ fences, machine, rows }, null, 2) : `${said(rows, machine, fences)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Machine {
  readonly processors: number;
  readonly loadBefore: number;
  readonly loadAfter: number;
}

function said(rows: readonly Row[], machine: Machine, fences: string): string {
  const busy = Math.max(machine.loadBefore, machine.loadAfter) > machine.processors * 0.75;
  const loads = `load ${machine.loadBefore.toFixed(1)} before, ${machine.loadAfter.toFixed(1)} after, on ${machine.processors} processors`;
  return [
    tableOf(rows),
    `fences on: ${fences}`,
    busy ? `${loads}: others were at work, so take these figures again when it is quiet` : loads,
    "",
    verdictsOf(rows),
  ].join("\n");
}

/** TAMA_TEST_BINARY as it is, else the product, built now. */
async function product(bun: string): Promise<string> {
  const given = process.env["TAMA_TEST_BINARY"];
  if (given !== undefined && given !== "") return resolve(given);
  const outfile = productPath(projectRoot);
  await build({ root: projectRoot, bun, target: null, outfile });
  return outfile;
}

/** What starting anything with this run-time costs: a program of no lines. */
function emptyProgram(bun: string, folder: string): Promise<string> {
  return built(bun, folder, "empty", "export {};\n");
}

/** A program under the product's own flags. */
async function built(bun: string, folder: string, name: string, text: string): Promise<string> {
  const source = join(folder, `${name}.ts`);
  const outfile = join(folder, name);
  writeFileSync(source, text);
  const command = [bun, "build", ...flags, relative(folder, source), "--outfile", outfile];
  const built = Bun.spawnSync(command, { cwd: folder, env: withoutTakeover(process.env) });
  if (built.exitCode !== 0) throw new Error(`${name} was not built: ${built.stderr.toString()}`);
  return outfile;
}

function load(): number {
  return loadavg()[0] ?? Number.NaN;
}

function whole(text: string, option: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${option} takes a whole number above 0, not ${text}`);
}

try {
  await main();
} catch (cause) {
  console.error(`bench: ${cause instanceof Error ? cause.message : cause}`);
  process.exitCode = 1;
}
