// The rows of the dashboard as a table in Markdown: goal, figure, spread, and if the goal is
// reached, or by how much not. Notes stand below it, numbered.

import { isReached, type Row } from "./row.ts";

const HEAD = ["what", "goal", "measured", "median / p95 / worst", "reached"];

export function printRows(rows: readonly Row[]): string {
  const notes = [...new Set(rows.flatMap(({ note }) => note ?? []))];
  const cells = rows.map((row) => [
    row.note === null ? row.what : `${row.what} [${notes.indexOf(row.note) + 1}]`,
    `${"most" in row.goal ? row.goal.most : `at least ${row.goal.least}`} ${row.unit}`,
    number(row.measured),
    row.spread === null ? "" : spreadOf(row.spread),
    verdict(row),
  ]);
  const lines = [HEAD, HEAD.map((_, column) => (column === 0 ? "---" : "---:")), ...cells];
  return [
    ...lines.map((line) => `| ${line.join(" | ")} |`),
    "",
    ...notes.map((note, index) => `${index + 1}. ${note}`),
    "",
  ].join("\n");
}

function spreadOf({ median, p95, worst, count }: NonNullable<Row["spread"]>): string {
  return `${[median, p95, worst].map(number).join(" / ")} of ${count}`;
}

function verdict(row: Row): string {
  if (isReached(row)) return "yes";
  const goal = "most" in row.goal ? row.goal.most : row.goal.least;
  const off = Math.abs(row.measured - goal);
  const by = Number.isNaN(off) ? "" : `, by ${number(off)} ${row.unit}`;
  return `**no**${by}${row.isHard ? " (a fault)" : ""}`;
}

function number(value: number): string {
  if (Number.isNaN(value)) return "—";
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
