import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runChild } from "../../workshop/child.ts";

/** The real clients that journeys drive, and the one version of each that its facts were learned from. */
export const pinned = [
  { program: "omp", package: "@oh-my-pi/pi-coding-agent", version: "18.2.3" },
  { program: "claude", package: "@anthropic-ai/claude-code", version: "2.1.332" },
  { program: "codex", package: "@openai/codex", version: "0.171.0" },
  { program: "gemini", package: "@google/gemini-cli", version: "0.61.0" },
  // It needs a Node of 22.19 or later by its own words; Bun runs it on every machine.
  { program: "pi", package: "@earendil-works/pi-coding-agent", version: "1.6.0", under: "bun" },
  // OMP's own first line asks for it by name.
  { program: "bun", package: "bun", version: "1.4.5" },
] as const;

/** The words that start a client. */
export function commandOf(client: (typeof pinned)[number], binFolder: string): readonly string[] {
  const path = join(binFolder, client.program);
  return "under" in client ? [join(binFolder, client.under), "--bun", path] : [path];
}

/** Runs every client with --version, in an empty home. Returns what is wrong, or null when each answers its version. */
export async function whatIsWrong(binFolder: string): Promise<string | null> {
  const home = mkdtempSync(join(tmpdir(), "tama-clients-home-"));
  try {
    for (const client of pinned) {
      const { program, version } = client;
      const path = join(binFolder, program);
      if (!existsSync(path)) return `there is no ${path}`;
      const env = { HOME: home, PATH: `${binFolder}${delimiter}${process.env["PATH"] ?? ""}`, CODEX_HOME: home };
      const ended = await runChild({
        command: [...commandOf(client, binFolder), "--version"],
        cwd: home,
        env,
        limit: 60_000,
      });
      // "omp/18.2.3", "2.1.332 (Claude Code)", "codex-cli 0.171.0": the version is a word of its own.
      const words = ended.output.split(/[\s/]+/);
      if (ended.code !== 0 || !words.includes(version)) {
        return `${program} --version gave ${ended.signal ?? `exit ${ended.code}`} and "${ended.output.trim()}", not ${version}`;
      }
    }
    return null;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A line that changes when a client's program is replaced: what a stamp can be held against without running it. */
export function printOf(binFolder: string): string | null {
  const parts = pinned.map(({ program, version }) => {
    const path = join(binFolder, program);
    if (!existsSync(path)) return null;
    const real = realpathSync(path);
    const { size, mtimeMs } = statSync(real);
    return `${program} ${version} ${size} ${mtimeMs}`;
  });
  return parts.includes(null) ? null : parts.join("; ");
}
