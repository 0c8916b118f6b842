/** A verdict that comes faster than this shows nothing. Milliseconds. */
export const quietMs = 250;

/** The promise's value, or null when it takes longer. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks until it holds; false when it did not within that time. */
export async function holdsWithin(holds: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
