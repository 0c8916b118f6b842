import type { Judgement } from "./judged.ts";

/** A refusal in a session's strip: where it stands, what it turned out to be, and the page's own name of its row. */
export interface Mark {
  readonly index: number;
  readonly judgement: Judgement;
  readonly name: string;
  readonly title: string;
}

/** Calls in one row of a strip: a row is as wide as the page, so a call is about as wide as a hair is long. */
const perRow = 160;
const rowHeight = 9;

/** A session as one picture: a stroke a call by its effect, a long thin one where a person wrote, a triangle on every refused call. */
export function stripOf(strip: string, marks: readonly Mark[]): string {
  const rows = Math.max(1, Math.ceil(strip.length / perRow));
  const drawn = kinds.map(({ letter, name, from, to }) => {
    const strokes = [...strip].flatMap((found, at) => (found === letter ? [stroke(at, from, to)] : []));
    return strokes.length === 0 ? "" : `<path class="${name}" d="${strokes.join("")}"/>`;
  });
  const marked = marks.map(({ index, judgement, name, title }) => {
    const { x, y } = placeOf(index);
    const points = `${x - 1.1},${y} ${x + 1.1},${y} ${x},${y + 2.2}`;
    return `<a href="#${name}"><polygon class="${judgement}" points="${points}"><title>${title}</title></polygon></a>`;
  });
  return `<svg class="strip" viewBox="-1 0 ${perRow + 2} ${rows * rowHeight}" role="img" aria-label="the session's calls in order">${drawn.join("")}${marked.join("")}</svg>`;
}

const kinds: readonly { readonly letter: string; readonly name: string; readonly from: number; readonly to: number }[] =
  [
    { letter: "r", name: "r", from: 4.6, to: 7 },
    { letter: "c", name: "c", from: 2.8, to: 7 },
    { letter: "u", name: "u", from: 3.7, to: 7 },
    { letter: "w", name: "w", from: 5.4, to: 7 },
    { letter: "|", name: "p", from: 2.2, to: 8 },
  ];

function placeOf(index: number): { readonly x: number; readonly y: number } {
  return { x: (index % perRow) + 0.5, y: Math.floor(index / perRow) * rowHeight };
}

function stroke(index: number, from: number, to: number): string {
  const { x, y } = placeOf(index);
  return `M${x} ${round(y + from)}V${round(y + to)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
