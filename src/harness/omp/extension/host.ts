/** The parts of OMP's extension interface that are used here (OMP 18.2). What is optional is missing in some modes. */
export interface Host {
  on(event: string, handler: (event: unknown, context: Context) => unknown): void;
  getActiveTools?(): unknown;
  sendMessage?(message: object, options: object): unknown;
  /** Writes an entry of our own into the session's transcript; the model never sees it. */
  appendEntry?(type: string, data: object): void;
  /** OMP's own module; its settings can be overridden for this process. */
  readonly pi?: unknown;
}

export interface Context {
  /** `tui` is the one with a person at a screen; `rpc`, `json` and `print` have none. */
  readonly mode: string;
  readonly cwd: string;
  readonly model?: unknown;
  readonly ui: {
    setStatus(key: string, text: string | undefined): void;
    setWidget?(key: string, lines: string[] | undefined, options?: object): void;
    notify(text: string, kind: string): void;
    custom(
      factory: (tui: unknown, theme: unknown, keys: unknown, done: (value: unknown) => void) => object,
      options: object,
    ): Promise<unknown>;
  };
  readonly sessionManager: {
    getSessionId(): string;
    getSessionFile(): string | undefined;
    getHeader?(): unknown;
    getEntries?(): unknown;
    /** The entries from the first to the place in the tree where the session stands. */
    getBranch?(): unknown;
  };
  isIdle?(): boolean;
  abort?(): void;
}

export interface Setting {
  readonly binary: string;
  /** OMP gives a handler 30 s; where that cannot be lifted the answer must be there before. Milliseconds. */
  readonly answerWithinMs: number;
  /** Outside a window: how long an ending's hooks may take before they count as still waiting. Milliseconds. */
  readonly endingGraceMs: number;
  /** How long a request waits for the text gate where no pass is kept. Milliseconds. */
  readonly textAnswerMs: number;
}

export const usualTimes = { answerWithinMs: 28_000, endingGraceMs: 5_000, textAnswerMs: 3_000 };

/** A person is at a screen. */
export function hasWindow(context: Context): boolean {
  return context.mode === "tui";
}
