import { printable } from "../../base/printable.ts";
import { quotedWord } from "../../base/quoted-word.ts";
import type { Refusal } from "../../base/verdict.ts";
import { removesFilesByName, writesFilesByName } from "../../calls/acts-by-name.ts";
import { toolKind } from "../../calls/kind.ts";
import { absolutePath, namedPath, operandsOf, type PlacedCommand, placedCommands } from "../../calls/named-paths.ts";
import { commandLine, lineFolder, shellLine, typedText } from "../../calls/shell-line.ts";
import { movedWords, patchedFiles, writtenWords } from "../../calls/written-paths.ts";
import { isLiteral } from "../../shell/shell-words.ts";
import { programBasename } from "../../shell/wrappers.ts";
import type { Payload } from "../../words/event.ts";
import type { Asked, Gate, ProtectedPlaces } from "../gate.ts";
import { hasOtherHome, switchIn } from "../gate-switches.ts";
import { type NamedWord, namesHanded } from "../names-handed.ts";
import { protecting } from "../protecting-place.ts";
import { type WrittenWord, writtenBy } from "../written-by.ts";

/**
 * A session's own calls may not change what judges it: Tama's state, Oko's, the adapter, a harness's settings where Tama stands, and the
 * commands that switch gates. What a program does inside is out of sight: only words and redirections are judged.
 */
export const blockGateTampering: Gate = { id: "block-gate-tampering", needs: ["places"], decide };

function decide({ event, harness, facts }: Asked): Refusal | null {
  if (event.event !== "tool_call" || facts.places === undefined) return null;
  const { tool, input } = event.payload;
  const places = { ...facts.places, said: () => JSON.stringify(input) ?? "" };
  const kind = event.payload.kind ?? toolKind(harness, tool);
  if (kind === "read" || kind === "search") return null;
  const line = kind === "write" ? null : lineRun(kind, input);
  const byLine = line === null ? null : decideLine(line, inFolder(lineFolder(input), places));
  if (byLine !== null || (kind !== "write" && !(kind === "other" && writesFilesByName(tool)))) return byLine;
  const removes = removesFilesByName(tool);
  return refusedFiles([...writtenWords(input), ...(removes ? movedWords(input) : [])], places, removes);
}

/** The line a call runs. A tool of no known kind is only believed to run one where its argument says `command`. */
function lineRun(kind: Payload<"tool_call">["kind"], input: unknown): string | null {
  if (kind === "shell") return shellLine(input);
  return commandLine(input) ?? (kind === "process" ? typedText(input) : null);
}

/** A call may name the folder it runs in beside its line. */
function inFolder(folder: string | null, places: ProtectedPlaces): ProtectedPlaces {
  return folder === null ? places : { ...places, cwd: absolutePath(folder, places.cwd, places.userHome) };
}

function decideLine(line: string, places: ProtectedPlaces): Refusal | null {
  const commands = placedCommands(line, places);
  const links: Link[] = [];
  const linked = (removed: boolean): ProtectedPlaces => ({
    ...places,
    liesAt: (path) => places.liesAt(throughLinks(path, links, removed)),
  });
  for (const [at, placed] of commands.entries()) {
    const before = (): readonly PlacedCommand[] => commands.slice(0, at);
    const handed = (): readonly NamedWord[] => namesHanded(commands, at);
    const refusal = refusedSwitch(placed, before, places, line) ?? refusedWrite(placed, handed, linked, line);
    if (refusal !== null) return refusal;
    const link = linkMade(placed, places.userHome);
    if (link !== null && links.length < linksMax) links.push(link);
  }
  return null;
}

/** A link that the line itself has made, which is not there yet when the line is judged. */
interface Link {
  readonly from: string;
  readonly to: string;
}

const linksMax = 64;

function linkMade({ command, cwd }: PlacedCommand, userHome: string): Link | null {
  const [source, link] = programBasename(command.program) === "ln" ? operandsOf(command.words) : [];
  const to = source === undefined ? null : namedPath(source, cwd, userHome);
  const from = link === undefined ? null : namedPath(link, cwd, userHome);
  return to === null || from === null ? null : { from: from.path, to: to.path };
}

/** Who removes a link removes nothing else. */
function throughLinks(path: string, links: readonly Link[], removed: boolean): string {
  const link = links.find(({ from }) => path.startsWith(`${from}/`) || (!removed && path === from));
  return link === undefined ? path : `${link.to}${path.slice(link.from.length)}`;
}

function refusedSwitch(
  placed: PlacedCommand,
  before: () => readonly PlacedCommand[],
  places: ProtectedPlaces,
  line: string,
): Refusal | null {
  const { command, cwd } = placed;
  const words = switchIn(command);
  const isOwn = (path: string): boolean => protecting(path, cwd, places, false) !== null;
  if (words === null || hasOtherHome(placed, before(), places.userHome, isOwn)) return null;
  const whole = [programBasename(words[0] ?? ""), ...words.slice(1)];
  const literal = isLiteral(cwd) && whole.every(isLiteral);
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

function refusedWrite(
  placed: PlacedCommand,
  handed: () => readonly NamedWord[],
  linked: (removed: boolean) => ProtectedPlaces,
  line: string,
): Refusal | null {
  const patches = /^apply_?patch$/.test(programBasename(placed.command.program)) ? patchedFiles(line) : [];
  const words: readonly WrittenWord[] = [
    ...writtenBy(placed.command, handed),
    ...patches.map((word) => ({ word, removed: false })),
  ];
  for (const { word, removed, picks } of words) {
    const found = protecting(word, placed.cwd, linked(removed), removed, picks);
    if (found === null) continue;
    const shown = printable(line);
    const here = namesWhole(line, found.path) ? "" : `cd ${quotedWord(linked(false).cwd)} && `;
    return refusal(
      `this call would write ${printable(found.path)}, which is ${found.place.what}.`,
      `a person runs it at their own terminal: ${here}${shown}`,
      shown,
    );
  }
  return null;
}

/** Whether the line says where the path is from whatever folder it is run in. */
function namesWhole(line: string, path: string): boolean {
  return line.includes(path) || /(?:~|\$\{?HOME\}?)(?:\/|\s|$)/.test(line);
}

function refusedFiles(words: readonly string[], places: ProtectedPlaces, removes: boolean): Refusal | null {
  for (const word of words) {
    const found = protecting(word, places.cwd, places, removes);
    if (found === null) continue;
    const shown = printable(found.path);
    return refusal(
      `this call would write ${shown}, which is ${found.place.what}.`,
      `a person edits ${shown} themselves.`,
      shown,
    );
  }
  return null;
}

function refusal(what: string, instead: string, evidence: string): Refusal {
  return {
    what,
    why: "A session that can switch its own gates off is not judged at all.",
    instead: `If it is right, ${instead}`,
    evidence,
  };
}
