import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { knownTools, toolKinds } from "../calls/kind.ts";
import { builtInDeclaration } from "../gates/declarations.ts";
import type { Declaration } from "../words/declaration.ts";

/**
 * What a declaration of the right form still cannot be, as a sentence naming the field, or null. Found when it is declared, because
 * later it would refuse every call, or guard nothing without a word.
 */
export function unfitDeclaration(declaration: Declaration): string | null {
  return (
    idTaken(declaration.id) ??
    unknownKind(declaration) ??
    unknownHarness(declaration) ??
    contractFits(declaration) ??
    programFits(declaration)
  );
}

/** Who else a refusal may name as the one that refused. */
const ownNames: ReadonlySet<string> = new Set(["repeat", "registry", "tama", "canary"]);

function idTaken(id: string): string | null {
  return ownNames.has(id) ? `declaration.id: ${id} is a part of Tama itself; choose another` : null;
}

function unknownKind({ on }: Declaration): string | null {
  for (const [at, { tools = [] }] of on.entries()) {
    const kinds = tools.flatMap((word) => (word.startsWith("kind:") ? [word.slice("kind:".length)] : []));
    const unknown = kinds.find((kind) => !toolKinds.some((known) => known === kind));
    if (unknown !== undefined)
      return `declaration.on.${at}.tools: there is no kind ${JSON.stringify(unknown)}; there are ${toolKinds.join(", ")}`;
  }
  return null;
}

function unknownHarness({ on }: Declaration): string | null {
  for (const [at, { harness }] of on.entries())
    if (harness !== undefined && !Object.hasOwn(knownTools, harness))
      return `declaration.on.${at}.harness: there is no harness ${JSON.stringify(harness)}; there are ${Object.keys(knownTools).join(", ")}`;
  return null;
}

/** Claude Code has no event before a provider request, so a script of its contract could never answer one. */
function contractFits({ program, on }: Declaration): string | null {
  if (!("command" in program) || program.contract !== "claude-code") return null;
  return on.some((one) => one.event === "before_provider")
    ? "declaration.on: the claude-code contract has no event before_provider"
    : null;
}

function programFits({ program }: Declaration): string | null {
  if ("gate" in program)
    return builtInDeclaration(program.gate) === null
      ? `declaration.program.gate: Tama carries no gate ${JSON.stringify(program.gate)}`
      : null;
  const [path = ""] = program.command;
  if (program.command.some((word) => word.includes("\0"))) return "declaration.program.command: holds a zero byte";
  return isAbsolute(path) ? whyNotStarted(path) : null;
}

function whyNotStarted(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return `declaration.program.command: ${path} is no file`;
  } catch {
    return `declaration.program.command: there is no ${path}`;
  }
  try {
    accessSync(path, constants.X_OK);
    return null;
  } catch {
    return `declaration.program.command: ${path} may not be started (chmod +x ${path})`;
  }
}
