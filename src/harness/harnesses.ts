import type { Inspect } from "./examine/inspection.ts";
import type { Harness } from "./harness.ts";

/**
 * Every harness Tama can be put into. Adding one is one folder and one entry here; beside it one row in one-shot.ts where it starts one process
 * an event, and a reader in `transcript` where its transcript has a form of its own.
 */
export interface HarnessEntry {
  readonly name: string;
  /** The program that is on PATH where the harness is installed. */
  readonly program: string;
  /** Where settings of one folder can hold Tama: the variable that names the harness's home, and the folder that stands for it. */
  readonly projectHome?: { readonly variable: string; readonly folder: string };
  readonly load: () => Promise<Harness>;
  readonly inspect: () => Promise<Inspect>;
}

export const harnesses: readonly HarnessEntry[] = [
  {
    name: "omp",
    program: "omp",
    load: async () => (await import("./omp/install.ts")).omp,
    inspect: async () => (await import("./omp/inspect.ts")).inspectOmp,
  },
  {
    name: "claude-code",
    program: "claude",
    projectHome: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude" },
    load: async () => (await import("./claude-code/install.ts")).claudeCode,
    inspect: async () => (await import("./claude-code/inspect.ts")).inspectClaudeCode,
  },
  {
    name: "codex",
    program: "codex",
    load: async () => (await import("./codex/install.ts")).codex,
    inspect: async () => (await import("./codex/inspect.ts")).inspectCodex,
  },
  {
    name: "gemini",
    program: "gemini",
    load: async () => (await import("./gemini/install.ts")).gemini,
    inspect: async () => (await import("./gemini/inspect.ts")).inspectGemini,
  },
  {
    name: "pi",
    program: "pi",
    load: async () => (await import("./pi/install.ts")).pi,
    inspect: async () => (await import("./pi/inspect.ts")).inspectPi,
  },
];
