import { isMet, type Row, verdictOf } from "./figures.ts";

/** The table of quality.md: case, p50, p99, floor, ratio, goal, verdict; then what each floor is. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [
    ["case", "p50", "p99", "floor", "ratio", "goal", "verdict"],
    ...rows.map((row) => [
      row.name,
      amount(row.p50, row),
      amount(row.p99, row),
      amount(row.floor, row),
      `${row.ratio.toFixed(2)}×`,
      row.goals.map((goal) => goal.says).join(", ") || "–",
      row.goals.length === 0 ? "–" : row.goals.every(isMet) ? "met" : "missed",
    ]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? "").length))) ?? [];
  const lines = cells.map((line) => line.map((cell, column) => aligned(cell, column, widths[column] ?? 0)).join("  "));
  const floors = rows.map(
    (row) => `  ${row.name}: floor is ${row.beside}${row.note === undefined ? "" : `; ${row.note}`}`,
  );
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n\n${floors.join("\n")}\n`;
}

/** One line a goal. */
export function verdictsOf(rows: readonly Row[]): string {
  return rows.flatMap((row) => row.goals.map((goal) => verdictOf(row, goal))).join("\n");
}

function amount(value: number, row: Row): string {
  return `${value.toFixed(value < 100 ? 2 : 0)} ${row.unit}`;
}

function aligned(cell: string, column: number, width: number): string {
  return column >= 1 && column <= 4 ? cell.padStart(width) : cell.padEnd(width);
}
