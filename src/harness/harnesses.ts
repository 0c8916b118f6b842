import type { Harness } from "./harness.ts";

/** Every harness Tama can be put into. Adding one is one folder and one line here. */
export interface HarnessEntry {
  readonly name: string;
  /** The program that is on PATH where the harness is installed. */
  readonly program: string;
  readonly load: () => Promise<Harness>;
}

export const harnesses: readonly HarnessEntry[] = [
  { name: "omp", program: "omp", load: async () => (await import("./omp/install.ts")).omp },
  {
    name: "claude-code",
    program: "claude",
    load: async () => (await import("./claude-code/install.ts")).claudeCode,
  },
];
