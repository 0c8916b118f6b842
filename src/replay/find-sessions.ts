import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type FoundFile, newestFiles } from "../disk/newest-files.ts";

/** Where the harnesses keep their sessions on this machine. */
export function ownFolders(
  userHome: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly folder: string }[] {
  const or = (name: string, otherwise: string): string => environment[name] || join(userHome, otherwise);
  return [
    { name: "OMP", folder: join(or("PI_CODING_AGENT_DIR", ".omp/agent"), "sessions") },
    { name: "Claude Code", folder: join(or("CLAUDE_CONFIG_DIR", ".claude"), "projects") },
    { name: "Codex", folder: join(or("CODEX_HOME", ".codex"), "sessions") },
    { name: "pi", folder: join(userHome, ".pi/agent/sessions") },
  ];
}

export interface Found {
  /** The biggest first, so that the last ones to be played are short. */
  readonly files: readonly FoundFile[];
  /** Words that name nothing. */
  readonly missing: readonly string[];
}

/** The transcripts that files and folders name; in a folder all `.jsonl` files at any depth, but for copies of a session that is there. */
export function findSessions(words: readonly string[]): Found {
  const files = new Map<string, FoundFile>();
  const missing: string[] = [];
  for (const path of words) {
    const about = lstatSync(path, { throwIfNoEntry: false });
    if (about === undefined) missing.push(path);
    else if (about.isDirectory()) {
      const inside = newestFiles(path, ".jsonl", Number.POSITIVE_INFINITY);
      const paths = new Set(inside.map((file) => file.path));
      for (const file of inside) if (!isCopy(file.path, paths)) files.set(file.path, file);
    } else files.set(path, { path, bytes: about.size, changed: about.mtimeMs });
  }
  return { files: [...files.values()].sort((one, other) => other.bytes - one.bytes), missing };
}

/**
 * To compact a session, to suggest a prompt or to answer aside, Claude Code asks a fork of it, whose file begins with the session's own
 * rows: what is played there was played already, and a person's words in it count as nobody's.
 */
function isCopy(path: string, paths: ReadonlySet<string>): boolean {
  if (!/^agent-a(?:compact|prompt_suggestion|side_question)-[\w-]+\.jsonl$/.test(basename(path))) return false;
  return paths.has(`${dirname(dirname(path))}.jsonl`);
}
