/** Bounds of memory and of what is kept; none of them decides a verdict by itself. Each says why it has its size. */

/** A protocol line (contract 2). */
export const lineBytesMax = 64 * 1024 * 1024;
/** `said` and `answer` of a kept call are whole up to here and cut in the middle past it (gates.md). */
export const keptTextBytesMax = 1024 * 1024;
/** What a hook may say on stdout or stderr as its answer. A reason is read by a model; a megabyte is far past any. */
export const hookOutputBytesMax = 1024 * 1024;
/** Progress lines of one hook that are passed on; a hook that floods stderr must not flood the harness. */
export const progressLinesMax = 1000;
/** Characters of one progress line that are passed on. */
export const progressLineCharsMax = 4096;
/** Records and settings read whole. */
export const recordBytesMax = 256 * 1024 * 1024;
