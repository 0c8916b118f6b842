/**
 * The first words of every installed command line: they take away what would make another program of a Bun binary, or end it before its
 * first instruction. An editor's Bun extension sets the inspector's variables in its terminals, and the binary exits 1 on them (measured,
 * Bun 1.4.5).
 */
export const clearTakeovers: string = [
  "BUN_OPTIONS",
  "BUN_BE_BUN",
  "BUN_INSPECT",
  "BUN_INSPECT_PRELOAD",
  "BUN_INSPECT_NOTIFY",
  "BUN_INSPECT_CONNECT_TO",
].reduce((words, name) => `${words} -u ${name}`, "env");
