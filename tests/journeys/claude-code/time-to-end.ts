/**
 * Says how long a hook and all of it took to go, beside what Claude Code gives them before it kills. A figure to read, never a verdict: a
 * machine that others keep busy takes what it takes.
 */
export function tellTimeToEnd(from: number): void {
  console.log(`all gone after ${Math.round(performance.now() - from)} ms; Claude Code kills after 1,500`);
}
