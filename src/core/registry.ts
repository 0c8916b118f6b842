import { dirname, isAbsolute, join } from "node:path";
import { jsonFault } from "../base/json-fault.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { type Home, prepareHome } from "../disk/home.ts";
import { readTextFile } from "../disk/read-text-file.ts";
import { updateRecord } from "../disk/update-record.ts";
import { type Declaration, type DeclaredHook, parseDeclaration, registrySchema } from "../words/declaration.ts";
import { unfitDeclaration } from "./unfit-declaration.ts";

/** A declaration with where it came from; a built-in one names the release's own file. */
export interface SourcedDeclaration {
  readonly declaration: Declaration;
  readonly file: string;
}

/** Reads and checks a person's declaration file. Programs named relative to it are stored absolute. */
export function readDeclarationFile(path: string): Result<SourcedDeclaration> {
  const text = readTextFile(path);
  if (!text.ok) return text;
  if (text.value === null) return failed(`cannot read ${path}: there is no such file`);
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch (thrown) {
    const fault = jsonFault(text.value);
    const place = fault === null ? path : `${path}:${fault.line}:${fault.column}`;
    return failed(`${place} is no JSON: ${causeOf(thrown)}`);
  }
  const declaration = parseDeclaration(value);
  if (typeof declaration === "string") return failed(`${path}: ${declaration}`);
  const absolute = withAbsoluteProgram(declaration, dirname(path));
  const unfit = unfitDeclaration(absolute);
  return unfit === null ? done({ declaration: absolute, file: path }) : failed(`${path}: ${unfit}`);
}

function withAbsoluteProgram(declaration: Declaration, folder: string): Declaration {
  const { program } = declaration;
  if (!("command" in program)) return declaration;
  const [first = "", ...words] = program.command;
  if (isAbsolute(first) || !first.includes("/")) return declaration;
  return { ...declaration, program: { ...program, command: [join(folder, first), ...words] } };
}

/** Enters declarations in order; one declared again takes its old place with the new words. */
export async function declareHooks(
  home: Home,
  sourced: readonly SourcedDeclaration[],
  at: string,
): Promise<Result<void>> {
  const prepared = prepareHome(home);
  if (!prepared.ok) return prepared;
  return await updateRecord(home.registry, registrySchema, (registry) => {
    const declared: DeclaredHook[] = [...(registry?.declared ?? [])];
    for (const { declaration, file } of sourced) {
      const entry = { ...declaration, file, at };
      const place = declared.findIndex((one) => one.id === declaration.id);
      if (place === -1) declared.push(entry);
      else declared[place] = entry;
    }
    return { ...registry, declared };
  });
}

/** Takes hooks out. `null` takes out all, and leaves a registry that says so. */
export async function withdrawHooks(home: Home, id: string | null): Promise<Result<readonly string[]>> {
  const prepared = prepareHome(home);
  if (!prepared.ok) return prepared;
  const withdrawn: string[] = [];
  const written = await updateRecord(home.registry, registrySchema, (registry) => {
    const declared = registry?.declared ?? [];
    withdrawn.push(...declared.filter((one) => id === null || one.id === id).map((one) => one.id));
    return { ...registry, declared: declared.filter((one) => id !== null && one.id !== id) };
  });
  if (!written.ok) return written;
  return id !== null && withdrawn.length === 0
    ? failed(`no hook ${id} is declared; \`tama hooks declared\` lists them`)
    : done(withdrawn);
}
