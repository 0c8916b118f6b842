/** The parts of pi's extension interface that are used here (pi 1.6.0). */
export interface Pi {
  on(event: string, handler: (event: unknown, context: PiContext) => unknown): void;
}

export interface PiContext {
  /** `tui` is the one with a person at a screen. */
  readonly mode: string;
  /** Whether `ui` shows anything: in a window, and over RPC. */
  readonly hasUI: boolean;
  readonly cwd: string;
  /** Aborts when the person stops the run. */
  readonly signal?: AbortSignal;
  readonly ui: {
    setStatus(key: string, text: string | undefined): void;
    notify(text: string, kind: string): void;
  };
  readonly sessionManager: {
    getSessionId(): string;
    getSessionFile(): string | undefined;
    getEntries(): unknown;
  };
}
