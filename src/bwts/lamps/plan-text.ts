// The plan for lamps as lines of text, for the command: each lamp that is due or can't be planned,
// with its reason, then the need and the order.

import type { LampPlanAnswer } from "./plan-answer.ts";
import type { Planned, PlanReason } from "./plan-words.ts";

const PLANNED_WORDS: Readonly<Record<Planned, string>> = {
  now: "change now",
  next_call: "change at the next port call",
  three_months: "change within three months",
  later: "later",
  unknown: "cannot tell when",
};
const REASON_WORDS: Readonly<Record<PlanReason, string>> = {
  failed: "failed",
  output: "output at the limit (plain rule)",
  rated_hours: "rated hours (plain rule)",
  forecast: "forecast",
};

export function planText(plan: LampPlanAnswer): string {
  const { within_lead_time: need, order, spares, lead_days, no_forecast } = plan;
  const shown = plan.lamps.filter(({ planned }) => planned !== "later");
  const lines = shown.map(({ lamp, output_percent, hours, planned, reason, change_by }) =>
    [
      String(lamp).padStart(2, "0"),
      `${output_percent ?? "?"} %`,
      `${hours ?? "?"} h`,
      PLANNED_WORDS[planned],
      ...(reason === null ? [] : [REASON_WORDS[reason]]),
      ...(change_by === null ? [] : [`by ${change_by}`]),
    ].join("  "),
  );
  if (no_forecast.length > 0)
    lines.push(`no forecast for lamps ${no_forecast.join(", ")}: counted by rated hours`);
  lines.push(
    need === null
      ? "lamps needed: cannot tell, the hours a day of this ship are not known yet"
      : `lamps needed within ${lead_days} days: ${need.p05} to ${need.p95} (90 % range)`,
    `spares aboard: ${spares ?? "never counted"}`,
    `order: ${order ?? "cannot tell"}`,
  );
  return `${lines.join("\n")}\n`;
}
