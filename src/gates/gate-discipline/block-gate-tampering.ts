import { dirname } from "node:path";
import { printable } from "../../base/printable.ts";
import { quotedWord } from "../../base/quoted-word.ts";
import type { Refusal } from "../../base/verdict.ts";
import { toolKind } from "../../calls/kind.ts";
import { absolutePath, namedPaths, type PlacedCommand, placedCommands, writtenPaths } from "../../calls/named-paths.ts";
import { shellLine } from "../../calls/shell-line.ts";
import { commandEffect } from "../../shell/effect.ts";
import { isLiteral } from "../../shell/shell-words.ts";
import { programBasename } from "../../shell/wrappers.ts";
import type { Asked, Gate, ProtectedPlaces } from "../gate.ts";

/**
 * A session's own calls may not change what judges it: Tama's state, Oko's, the adapter, a harness's settings where Tama stands, and the
 * commands that switch gates. What a program does inside is out of sight: only words and redirections are judged.
 */
export const blockGateTampering: Gate = { id: "block-gate-tampering", needs: ["places"], decide };

function decide({ event, harness, facts }: Asked): Refusal | null {
  const { places } = facts;
  if (event.event !== "tool_call" || places === undefined) return null;
  const { tool, input } = event.payload;
  const kind = event.payload.kind ?? toolKind(harness, tool);
  if (kind === "write") return refusedPath(writtenPaths(input, places.cwd, places.userHome), places, null);
  const line = kind === "shell" ? shellLine(input) : null;
  return line === null ? null : decideLine(line, places);
}

function decideLine(line: string, places: ProtectedPlaces): Refusal | null {
  const commands = placedCommands(line, places.cwd, places.userHome) ?? [];
  for (const placed of commands) {
    const refusal = refusedVerb(placed, places, line) ?? refusedWrite(placed, places, line);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** The commands that switch gates, by program: each row is the first words behind it. */
const switches: Readonly<Record<string, readonly string[]>> = {
  tama: [
    "hooks declare",
    "hooks withdraw",
    "grant",
    "install",
    "uninstall",
    "model-provider set",
    "model-provider remove",
    "transcript accept",
  ],
  oko: ["purgatory verdict", "rulings enforce"],
};

function refusedVerb({ command, cwd }: PlacedCommand, places: ProtectedPlaces, line: string): Refusal | null {
  const rows = switches[programBasename(command.program)];
  const words = command.words.slice(1).filter((word) => !word.startsWith("-"));
  const found = rows?.find((row) => row.split(" ").every((word, index) => words[index] === word));
  if (found === undefined || command.words.includes("--plan") || namesAnotherHome(command.assigned, cwd, places))
    return null;
  const whole = [programBasename(command.program), ...command.words.slice(1)];
  const literal = whole.every(isLiteral);
  const printed = printable(literal ? whole.map(quotedWord).join(" ") : line);
  const from = literal ? cwd : places.cwd;
  const here = !literal || whole.some(dependsOnFolder) ? `cd ${quotedWord(from)} && ` : "";
  return refusal(
    `this call would switch what judges this session: ${printed}.`,
    `a person runs it at their own terminal: ${here}${printed}`,
    printed,
  );
}

/** A person's terminal stands in another folder: `--project` and the relative path of a file mean this session's. */
function dependsOnFolder(word: string, at: number, whole: readonly string[]): boolean {
  if (word === "--project") return true;
  const file = word.startsWith("--file=") ? word.slice("--file=".length) : whole[at - 1] === "--file" ? word : null;
  return file !== null && !/^[/~]/.test(file);
}

/** Another TAMA_HOME is none of this core's business. */
function namesAnotherHome(assigned: readonly string[], cwd: string, places: ProtectedPlaces): boolean {
  const value = assigned.findLast((one) => one.startsWith("TAMA_HOME="))?.slice("TAMA_HOME=".length);
  if (value === undefined) return false;
  const path = absolutePath(value, cwd, places.userHome);
  return protecting(places.liesAt(path), places, false) === null;
}

function refusedWrite(placed: PlacedCommand, places: ProtectedPlaces, line: string): Refusal | null {
  const { command } = placed;
  const changes = commandEffect({ ...command, targets: [], redirectsToFile: false }) === "changes";
  if (command.targets.length === 0 && !changes) return null;
  const program = programBasename(command.program);
  const written = changes ? operandsWritten(program, placed, places) : [];
  return refusedPath([...written, ...targetsOf(placed, places)], places, line, removers.has(program));
}

const removers: ReadonlySet<string> = new Set(["rm", "rmdir", "mv", "shred", "unlink"]);
/** These read all operands but the last. */
const copiers: ReadonlySet<string> = new Set(["cp", "rsync", "scp", "install", "ln"]);
/** These read what they are given and write one file of their own. */
const packers: ReadonlySet<string> = new Set(["tar", "zip", "7z", "git"]);

function operandsWritten(program: string, placed: PlacedCommand, places: ProtectedPlaces): readonly string[] {
  if (packers.has(program)) return [];
  const named = namedPaths({ ...placed, command: { ...placed.command, targets: [] } }, places.userHome);
  return copiers.has(program) ? named.slice(-1) : named;
}

/** Of a command that only redirects, its targets count; what it reads does not. */
function targetsOf(placed: PlacedCommand, places: ProtectedPlaces): readonly string[] {
  return placed.command.targets.map((word) => absolutePath(word, placed.cwd, places.userHome));
}

function refusedPath(
  paths: readonly string[],
  places: ProtectedPlaces,
  line: string | null,
  removes = false,
): Refusal | null {
  for (const path of paths) {
    const place = protecting(places.liesAt(path), places, removes);
    if (place === null) continue;
    const shown = printable(line ?? path);
    const instead =
      line === null
        ? `a person edits ${shown} themselves.`
        : `a person runs it at their own terminal: ${namesWhole(line, path) ? "" : `cd ${quotedWord(places.cwd)} && `}${shown}`;
    return refusal(`this call would write ${printable(path)}, which is ${place.what}.`, instead, shown);
  }
  return null;
}

/** Whether the line says where the path is from whatever folder it is run in. */
function namesWhole(line: string, path: string): boolean {
  return line.includes(path) || /(?:~|\$\{?HOME\}?)(?:\/|\s|$)/.test(line);
}

/** The protected place a path lies in; with `removes` also one that lies below it, since it would go along. */
function protecting(path: string, places: ProtectedPlaces, removes: boolean): ProtectedPlaces["places"][number] | null {
  return (
    places.places.find((place) => {
      if (path === place.path) return true;
      if (place.folder && path.startsWith(`${place.path}/`)) return true;
      return removes && (path === "/" || `${dirname(place.path)}/`.startsWith(`${path}/`));
    }) ?? null
  );
}

function refusal(what: string, instead: string, evidence: string): Refusal {
  return {
    what,
    why: "A session that can switch its own gates off is not judged at all.",
    instead: `If it is right, ${instead}`,
    evidence,
  };
}
