// Alerts for watched values: out of a limit, failed lamps, lamps near their end. Only present
// readings raise them: imported, replayed or delayed ones are judged when the newest reading is as
// recent as live ones, by the PLC's clock relative to the box's. Missing readings clear none; the
// end of the operation clears those that need one, and so do minutes well within the limit.

import type { LimitState } from "../bwts/present/limit-state.ts";
import type { LimitResult } from "../bwts/present/watched.ts";
import { MINUTE_MS, printTime, SECOND_MS } from "../ground/clock.ts";
import type { LimitsNow } from "../sqlite/derived/limits-now.ts";
import type { WriterTotals } from "../sqlite/threads/writer-totals.ts";
import { type AlarmSwitch, ownAlarmOf, type ReportedAlarm } from "./alarm.ts";
import type { Job, JobTools } from "./job.ts";

/** Maximum time between looks: forecasts change even while nothing is stored. */
const LOOK_MS = 15 * SECOND_MS;

/** A watch over all watched values; it looks after each commit. */
export function limitsWatch(): Job["run"] {
  const alarms = new Map<string, AlarmSwitch>();
  const alarmOf = ({ code, about }: LimitResult): AlarmSwitch => {
    const key = `${code} ${about}`;
    const alarm = alarms.get(key) ?? ownAlarmOf(code, about);
    alarms.set(key, alarm);
    return alarm;
  };
  let looked: { readonly totals: WriterTotals; readonly at_ms: number } | null = null;
  return async (tools) => {
    const [totals, at_ms] = [tools.writer.totals(), performance.now()];
    if (looked !== null && isSame(totals, looked.totals) && at_ms - looked.at_ms < LOOK_MS)
      return null;
    const now = await tools.readers.call("limits_now");
    looked = { totals, at_ms };
    if (now === null) return null;
    const done: string[] = [];
    for (const found of now.found) {
      const said = await judge(found, { now, alarm: alarmOf(found), tools });
      if (said !== null) done.push(said);
    }
    return done.length === 0 ? null : done.join("; ");
  };
}

function isSame(one: WriterTotals, other: WriterTotals): boolean {
  return one.commits === other.commits && one.corrections === other.corrections;
}

async function judge(
  found: LimitResult,
  { now, alarm, tools }: { now: LimitsNow; alarm: AlarmSwitch; tools: JobTools },
): Promise<string | null> {
  const { code, about, state, during } = found;
  const shown = about === "" ? code : `${code} ${about}`;
  if (state.kind === "over" || (!now.isRunning && during !== "always"))
    return (await alarm.clear(tools)) ? `${shown} is over` : null;
  if (state.kind === "unclear" || !isLive(now, tools)) return null;
  const alert = told(found, state, { now, tools });
  if (!(await alarm.raise(tools, alert))) return null;
  tools.log.warn(alert.text, { code });
  return `alarm: ${shown}`;
}

/** True if the newest reading is as recent as that of live readings. */
function isLive({ newest_ms, silence_ms }: LimitsNow, { writer, clock }: JobTools): boolean {
  const offset_ms = writer.readingOffset_ms() ?? 0;
  return Math.abs(clock.now_ms() - (newest_ms - offset_ms)) <= silence_ms;
}

function told(
  { name, parameter, unit, side, during }: LimitResult,
  { value, limit, since_ms }: Extract<LimitState, { readonly kind: "out" }>,
  { now, tools }: { readonly now: LimitsNow; readonly tools: JobTools },
): ReportedAlarm {
  const minutes = Math.floor((now.newest_ms - since_ms) / MINUTE_MS);
  const where = limit && `, ${side} ${limit.key} (${limit.value} ${unit})`;
  // Not for counters and forecasts, which are out of limit for longer than is looked back.
  const long = minutes === 0 || during === "always" ? "" : `, for ${minutes} minutes`;
  const isOfShip = limit?.key.startsWith("limits.") === true;
  return {
    text: where === null ? name : `${name} is ${value} ${unit}${where}${long}`,
    ...{ parameter, value, limit: limit?.value ?? null, unit },
    more: {
      limit_key: limit?.key ?? null,
      limit_source: isOfShip ? tools.limits.source : null,
      [`${side ?? "failed"}_since`]: printTime(since_ms),
      reading: printTime(now.newest_ms),
    },
  };
}
