/** Waits for a condition, never for a time: looks every few milliseconds and gives up only where something is stuck. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  withinMs = 60_000,
): Promise<T> {
  const giveUp = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > giveUp) throw new Error(`not seen within ${withinMs} ms: ${what}`);
    await Bun.sleep(3);
  }
}
