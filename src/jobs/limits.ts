// Alarms of values above a limit of the ship's certificate while water is treated: the filter's
// differential pressure, and the flow. They are raised only by readings of now: what is replayed or
// imported, or comes late out of a buffer, is judged when the newest reading is as old as live ones
// are, by the PLC's clock as it stands against the box's. Silence ends nothing; the end of the
// operation does, and minutes well below the limit.

import { type LimitState, WATCHED, type Watched } from "../bwts/alerts/limit-state.ts";
import { MINUTE_MS, printTime } from "../ground/clock.ts";
import type { LimitsNow } from "../sqlite/derived/limits-now.ts";
import type { WriterTotals } from "../sqlite/threads/writer.ts";
import { type AlarmSwitch, ownAlarmOf, type ToldAlarm } from "./alarm.ts";
import type { Job, JobTools } from "./job.ts";

type Above = Extract<LimitState, { readonly kind: "above" }>;

const ABOUT = {
  filter_dp: {
    code: "FILTER_DP_HIGH",
    name: "the filter's differential pressure",
    parameter: "FLT_DIFF_PRESSURE",
    unit: "bar",
  },
  flow: {
    code: "FLOW_ABOVE_CERTIFIED",
    name: "the flow",
    parameter: "SYS_FLOW_RATE",
    unit: "m3/h",
  },
} as const;

/** A watch over the limits of filter and flow; it looks when something was stored. */
export function limitsWatch(): Job["run"] {
  const alarms = { filter_dp: ownAlarmOf(ABOUT.filter_dp.code), flow: ownAlarmOf(ABOUT.flow.code) };
  let looked: WriterTotals | null = null;
  return async (tools) => {
    const totals = tools.writer.totals();
    const isSame = totals.commits === looked?.commits && totals.corrections === looked.corrections;
    if (isSame) return null;
    const now = await tools.readers.call("limits_now");
    looked = totals;
    if (now === null) return null;
    const done: string[] = [];
    for (const watched of WATCHED) {
      const said = await judge(watched, { now, alarm: alarms[watched], tools });
      if (said !== null) done.push(said);
    }
    return done.length === 0 ? null : done.join("; ");
  };
}

async function judge(
  watched: Watched,
  { now, alarm, tools }: { now: LimitsNow; alarm: AlarmSwitch; tools: JobTools },
): Promise<string | null> {
  const state = now.states[watched];
  const { code, name } = ABOUT[watched];
  if (state.kind === "over" || !now.isRunning)
    return (await alarm.clear(tools)) ? `${code} is over` : null;
  if (state.kind === "unclear" || !isLive(now, tools)) return null;
  if (!(await alarm.raise(tools, told(watched, state, { now, tools })))) return null;
  const { value, limit } = state;
  tools.log.warn(`${name} is above its limit`, {
    value,
    limit: limit.value,
    key: `limits.${limit.key}`,
  });
  return `alarm: ${code}`;
}

/** As old as the newest of readings that come live may be. */
function isLive({ newest_ms, silence_ms }: LimitsNow, { writer, clock }: JobTools): boolean {
  const offset_ms = writer.clock().plc?.offset_ms ?? 0;
  return Math.abs(clock.now_ms() - (newest_ms - offset_ms)) <= silence_ms;
}

function told(
  watched: Watched,
  { value, limit, since_ms }: Above,
  { now, tools }: { readonly now: LimitsNow; readonly tools: JobTools },
): ToldAlarm {
  const { name, parameter, unit } = ABOUT[watched];
  const minutes = Math.floor((now.newest_ms - since_ms) / MINUTE_MS);
  return {
    text:
      `${name} is ${value} ${unit}, above limits.${limit.key} (${limit.value} ${unit}), ` +
      `for ${minutes} minutes`,
    ...{ parameter, value, limit: limit.value, unit },
    more: {
      limit_key: `limits.${limit.key}`,
      limit_source: tools.limits.source,
      above_since: printTime(since_ms),
      reading: printTime(now.newest_ms),
    },
  };
}
