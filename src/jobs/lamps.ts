// Keeps lamp lives and forecasts current: after enough new readings, when no more come, and after
// the engineer's statement. The reader's thread, which knows the lives, decides if forecasts are
// due; a run without changes stores nothing. Each run scores a limited number of forecasts of ended
// lamps, and the next run continues.

import { OWN_ALARMS } from "../bwts/alarm.ts";
import { ownAlarm } from "../bwts/event.ts";
import { MINUTE_MS } from "../ground/clock.ts";
import type { WriterTotals } from "../sqlite/threads/writer-totals.ts";
import { ownAlarmOf } from "./alarm.ts";
import { openIdleWatch } from "./idle-plant.ts";
import type { Job, JobTools } from "./job.ts";

/** While readings come, lamps are tracked at this interval of the readings' own time. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

/** A watch over the lamps. */
export function forecastLamps(): Job["run"] {
  let looked: WriterTotals | null = null;
  let isScoring = false;
  const isIdleNow = openIdleWatch(() => performance.now());
  const suspension = suspensionAlarm();
  return async (tools) => {
    const { readers, writer } = tools;
    const now = writer.totals();
    const { last_reading_ms } = now;
    const isIdle = isIdleNow(now);
    if (last_reading_ms === null) return null;
    const isSpoken = now.corrections !== (looked?.corrections ?? 0);
    const moved_ms = Math.abs(last_reading_ms - (looked?.last_reading_ms ?? 0));
    if (!isSpoken && !isIdle && !isScoring && moved_ms < LOOK_EVERY_MS) return null;
    looked = now;
    const run = await readers.work("track_lamps", {
      revision: await writer.call("begin_lamps"),
      isIdle: isIdle || isSpoken,
    });
    await writer.call("save_lamps", run);
    isScoring = run.scores.isMore;
    await suspension(run.problem, tools);
    return run.mark === null ? null : `${run.predictions.length} lamps forecast`;
  };
}

/** Raises an alarm with the reason while lamp life isn't forecast. */
function suspensionAlarm(): (problem: string | null, tools: JobTools) => Promise<void> {
  const alarm = ownAlarmOf(OWN_ALARMS.counters);
  return async (problem, { writer, clock, log }) => {
    if (problem === null) {
      await alarm.clear(writer);
      return;
    }
    const suspended = () =>
      ownAlarm(clock.now_ms(), {
        code: OWN_ALARMS.counters,
        text: problem,
        parameter: "LAMP_XX_RUNTIME",
        value: null,
        limit: null,
        unit: null,
      });
    if (await alarm.raise(writer, suspended)) log.warn(problem, {});
  };
}
