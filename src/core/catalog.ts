import { sha256 } from "../base/digest.ts";
import { release } from "../base/release.ts";
import { done, failed, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { decodeRecord } from "../disk/read-record.ts";
import { readTextFile } from "../disk/read-text-file.ts";
import { type DeclaredHook, type Registry, registrySchema } from "../words/declaration.ts";

/** What is declared now. The id names declarations and release, so a refusal can tell whether the catalog that gave it was replaced. */
export interface Catalog {
  readonly id: string;
  readonly hooks: readonly DeclaredHook[];
  /** False when there is no registry.json at all, which means that nothing is declared. */
  readonly present: boolean;
}

/**
 * Reads the registry. The file is read each time; what its text means is worked out once as long as the text stays the same, because that
 * is most of the work and a core does it at every event.
 */
export function readCatalog(home: Home): Result<Catalog> {
  const text = readTextFile(home.registry);
  if (!text.ok) return failed(text.cause);
  if (text.value === null) return done({ ...catalogOf(null), present: false });
  if (newest?.text === text.value && newest.path === home.registry) return done(newest.catalog);
  const registry = decodeRecord(home.registry, text.value, registrySchema);
  if (!registry.ok) return failed(registry.cause);
  const catalog: Catalog = { ...catalogOf(registry.value), present: true };
  newest = { path: home.registry, text: text.value, catalog };
  return done(catalog);
}

let newest: { readonly path: string; readonly text: string; readonly catalog: Catalog } | null = null;

function catalogOf(registry: Registry | null): Pick<Catalog, "id" | "hooks"> {
  const hooks = registry?.declared ?? [];
  const declarations = hooks.map(({ file: _file, at: _at, ...declaration }) => declaration);
  const id = sha256(JSON.stringify({ declarations, release }));
  return { id, hooks };
}
