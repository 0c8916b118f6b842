/**
 * Milliseconds of a duration as a person writes it: `10s`, `2m`, `1h`, `500ms`, `1m30s`, `1.5h`. Null for anything else, a bare number and
 * zero among it: a wait of no length is a mistake. The upper bound is what a timer holds (24 days).
 */
export function parseDuration(text: string): number | null {
  const parts = [...text.matchAll(part)];
  if (parts.length === 0 || parts.map((found) => found[0]).join("") !== text) return null;
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? Number.NaN), 0);
  return ms >= 1 && ms <= timerMax ? Math.round(ms) : null;
}

const part = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const timerMax = 2 ** 31 - 1;
