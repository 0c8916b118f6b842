import { sha256 } from "../base/digest.ts";
import { release } from "../base/release.ts";
import { done, failed, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { type DeclaredHook, type Registry, registrySchema } from "../words/declaration.ts";

/** What is declared now. The id names declarations and release, so a refusal can tell whether the catalog that gave it was replaced. */
export interface Catalog {
  readonly id: string;
  readonly hooks: readonly DeclaredHook[];
  /** False when there is no registry.json at all, which means that nothing is declared. */
  readonly present: boolean;
}

export function readCatalog(home: Home): Result<Catalog> {
  const registry = readRecord(home.registry, registrySchema);
  if (!registry.ok) return failed(registry.cause);
  return done({ ...catalogOf(registry.value), present: registry.value !== null });
}

function catalogOf(registry: Registry | null): Pick<Catalog, "id" | "hooks"> {
  const hooks = registry?.declared ?? [];
  const declarations = hooks.map(({ file: _file, at: _at, ...declaration }) => declaration);
  const id = sha256(JSON.stringify({ declarations, release }));
  return { id, hooks };
}
