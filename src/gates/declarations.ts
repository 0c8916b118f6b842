import { done, failed, type Result } from "../base/result.ts";
import type { Declaration } from "../words/declaration.ts";

/** The declarations that come with Tama: each gate's own, and the sets they are offered in. */
export interface BuiltInDeclaration {
  readonly declaration: Declaration;
  readonly file: string;
}

const builtIn: readonly BuiltInDeclaration[] = [];

const presets: Readonly<Record<string, readonly string[]>> = { standalone: [], strict: [] };

export function builtInDeclaration(id: string): BuiltInDeclaration | null {
  return builtIn.find((one) => one.declaration.id === id) ?? null;
}

export function presetDeclarations(name: string): Result<readonly BuiltInDeclaration[]> {
  const ids = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (ids === undefined)
    return failed(`there is no preset ${JSON.stringify(name)}; there are ${Object.keys(presets).join(", ")}`);
  return done(builtIn.filter((one) => ids.includes(one.declaration.id)));
}
