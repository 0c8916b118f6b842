import { basename, dirname, join } from "node:path";
import { readTextFile } from "../disk/read-text-file.ts";
import type { Place, ProtectedPlaces } from "../gates/gate.ts";
import { defectRegisterPath } from "../oko/defect-register.ts";
import { platform } from "../process/platform.ts";
import type { HookEvent } from "../words/event.ts";
import type { FactSources } from "./load-facts.ts";
import { openRealPaths } from "./real-paths.ts";

/** What judges this session on this machine, and where paths really lie. */
export function protectedPlaces(sources: FactSources, event: HookEvent): ProtectedPlaces {
  return openProtectedPlaces(sources)(event);
}

/** The same for many events among which nothing on the disk is moved, such as those of a finished session. */
export function openProtectedPlaces(sources: FactSources): (event: HookEvent) => ProtectedPlaces {
  const whereItLies = openRealPaths();
  const known = new Map<string, readonly Place[]>();
  const { userHome, tamaHome } = sources;
  const variables = { TAMA_HOME: tamaHome, OKO_HOME: okoHomeOf(sources) };
  return (event) => {
    const cwd = event.payload.cwd ?? sources.cwd;
    const places = (): readonly Place[] => {
      const found = known.get(cwd) ?? placesOf(sources, cwd, whereItLies);
      known.set(cwd, found);
      return found;
    };
    return { places, userHome, cwd, variables, liesAt: whereItLies };
  };
}

function placesOf(
  { tamaHome, userHome, environment }: FactSources,
  cwd: string,
  whereItLies: (path: string) => string,
): readonly Place[] {
  const register = defectRegisterPath(environment, userHome, platform.name === "darwin");
  const named = environment["OKO_REVIEW_REGISTER"];
  const okoHome = okoHomeOf({ environment, userHome });
  const places: Place[] = [
    { path: tamaHome, what: "Tama's own state", folder: true },
    { path: okoHome, what: "Oko's data", folder: basename(okoHome) !== "" },
    { path: register, what: "Oko's register of defects", folder: false },
    ...(named === undefined ? [] : [{ path: named, what: "Oko's review register", folder: false }]),
    ...adapterFiles(userHome, environment).map((path) => ({ path, what: "Tama's adapter in OMP", folder: false })),
    {
      path: join(environment["PI_CODING_AGENT_DIR"] || join(userHome, ".pi", "agent"), "extensions", "tama.ts"),
      what: "Tama's adapter in pi",
      folder: false,
    },
    ...settingsFiles(userHome, environment, cwd)
      .filter((path) => holdsOurEntry(whereItLies(path)))
      .map((path) => ({ path, what: "the settings that call Tama", folder: false })),
    ...codexFiles(userHome, environment, (path) => holdsOurEntry(whereItLies(path))),
    ...switchingFiles(userHome, environment, cwd),
    { path: join(userHome, ".local", "bin", "tama"), what: "the program that agents start for Tama", folder: false },
  ];
  return places.map((place) => ({ ...place, path: whereItLies(place.path) }));
}

function okoHomeOf({ environment, userHome }: Pick<FactSources, "environment" | "userHome">): string {
  return environment["OKO_HOME"] ?? dirname(defectRegisterPath(environment, userHome, platform.name === "darwin"));
}

function adapterFiles(userHome: string, environment: FactSources["environment"]): readonly string[] {
  const own = environment["PI_CODING_AGENT_DIR"];
  const profile = environment["OMP_PROFILE"];
  const folders = [
    join(userHome, ".omp", "agent"),
    ...(own === undefined || own === "" ? [] : [own]),
    ...(profile === undefined || profile === "" ? [] : [join(userHome, ".omp", "profiles", profile, "agent")]),
  ];
  return folders.map((folder) => join(folder, "extensions", "tama.ts"));
}

function settingsFiles(userHome: string, environment: FactSources["environment"], cwd: string): readonly string[] {
  const own = environment["CLAUDE_CONFIG_DIR"];
  const user = join(own === undefined || own === "" ? join(userHome, ".claude") : own, "settings.json");
  const gemini = join(environment["GEMINI_CLI_HOME"] || userHome, ".gemini", "settings.json");
  return [
    user,
    join(cwd, ".claude", "settings.json"),
    join(cwd, ".claude", "settings.local.json"),
    gemini,
    join(cwd, ".gemini", "settings.json"),
  ];
}

/** In which of its files besides a harness takes one word that switches every hook or extension off. */
function switchingFiles(userHome: string, environment: FactSources["environment"], cwd: string): readonly Place[] {
  const claude = environment["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude");
  const row = (saying: RegExp, ...paths: readonly string[]): readonly Place[] =>
    paths.map((path) => ({ path, what: "settings that can switch every hook off", folder: false, saying }));
  return [
    ...row(
      saidOf("disableAllHooks", '\\\\?"\\s*:\\s*false\\b'),
      join(claude, "settings.json"),
      join(cwd, ".claude", "settings.json"),
      join(cwd, ".claude", "settings.local.json"),
    ),
    ...row(/hooksConfig/, join(environment["GEMINI_CLI_HOME"] || userHome, ".gemini", "settings.json")),
    ...row(/hooksConfig/, join(cwd, ".gemini", "settings.json")),
    ...row(saidOf("hooks\\s*=", "\\s*true\\b"), join(cwd, ".codex", "config.toml")),
    ...row(/disabledExtensions/, join(userHome, ".omp", "agent", "config.yml"), join(cwd, ".omp", "config.yml")),
  ];
}

/**
 * A call's arguments that say the word: any that write a part of a file, and those that write the whole of one unless each time the word
 * comes with the value that leaves hooks on.
 */
function saidOf(word: string, leavesOn: string): RegExp {
  const writesWhole = '\\{(?!.*"(?:command|old_\\w+)":).*"content":';
  return new RegExp(`${word}(?!${leavesOn})|^(?!${writesWhole}).*${word}`, "s");
}

/** Codex's hooks, and its settings, which say whether they are trusted and run. */
function codexFiles(
  userHome: string,
  environment: FactSources["environment"],
  holdsEntry: (path: string) => boolean,
): readonly Place[] {
  const own = environment["CODEX_HOME"];
  const folder = own === undefined || own === "" ? join(userHome, ".codex") : own;
  const hooks = join(folder, "hooks.json");
  if (!holdsEntry(hooks)) return [];
  return [
    { path: hooks, what: "the hooks that call Tama", folder: false },
    { path: join(folder, "config.toml"), what: "the settings by which Codex trusts Tama's hooks", folder: false },
  ];
}

function holdsOurEntry(path: string): boolean {
  const text = readTextFile(path);
  return text.ok && /run-hook (claude-code|codex|gemini)\b/.test(text.value ?? "");
}
