// The order list as CSV: a line for each lamp to change. Each line has the ship, the part number
// and the quantity of the whole order, so that a spreadsheet needs no second table. Lamps without
// data have lines too: the quantity doesn't include them.

import { printDay } from "../parts/moments.ts";
import type { ShownPlan } from "./plan-answer.ts";
import { dueLamps, soonLamps, unknownLamps } from "./plan-panel.tsx";

const HEAD = [
  ...["ship", "date", "data_through", "part_number", "quantity", "spares_aboard", "lead_days"],
  ...["lamp", "output_percent", "hours", "planned", "change_by", "reason"],
];

export function orderCsv(plan: ShownPlan, { ship, day }: { ship: string; day: string }): string {
  const { last_ms, part_number, order, spares, lead_days } = plan;
  const through = last_ms === null ? null : printDay(last_ms);
  const order_columns = [ship, day, through, part_number, order, spares, lead_days];
  const lamps = [...dueLamps(plan), ...soonLamps(plan), ...unknownLamps(plan)].map(
    ({ lamp, output, hours, planned, by, reason }) => [lamp, output, hours, planned, by, reason],
  );
  // An order without lamps still has a line.
  const rows = lamps.length === 0 ? [[null, null, null, null, null, null]] : lamps;
  return [HEAD, ...rows.map((row) => [...order_columns, ...row])]
    .map((row) => `${row.map(cell).join(",")}\r\n`)
    .join("");
}

/**
 * A value as CSV: texts are quoted, and none begins like a spreadsheet's formula; no value is
 * empty, never 0.
 */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number" || /^\w+$/.test(value)) return String(value);
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${plain.replace(/"/g, '""')}"`;
}
