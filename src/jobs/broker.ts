// The ship's broker lost is an alarm of ballastd's own, as silence is: nothing is received then,
// and somebody aboard may have to mend it. Whatever /readyz names as MQTT's problem counts, a
// refusal too, once it has stood for some seconds: a broker that restarts is no alarm.

import { OWN_ALARMS } from "../bwts/alarm.ts";
import { ownAlarm } from "../bwts/event.ts";
import { SECOND_MS } from "../clock.ts";
import { withoutPlaces } from "../places.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** So long a problem may stand: three attempts to connect, and the start of a run. */
const BORNE_MS = 10 * SECOND_MS;

/**
 * A watch over the link, by a clock that nobody can set; of the embedded broker, over its
 * addresses.
 */
export function brokerWatch(): Job["run"] {
  const alarm = ownAlarmOf(OWN_ALARMS.broker);
  let since_ms: number | null = null;
  return async ({ link, writer, clock }) => {
    const found = link();
    if (found === null) return null;
    const { mode, problem, where } = found;
    if (problem === null) {
      since_ms = null;
      return (await alarm.clear(writer)) ? "the ship's broker is there again" : null;
    }
    since_ms ??= performance.now();
    if (performance.now() - since_ms < BORNE_MS) return null;
    const lost = () =>
      ownAlarm(clock.now_ms(), {
        code: OWN_ALARMS.broker,
        // Alarms are for anybody to read: where the broker is stands in the log.
        text:
          mode === "client"
            ? `the ship's broker: ${withoutPlaces(problem, where)}`
            : `MQTT: ${problem}`,
        parameter: "broker",
        value: null,
        limit: null,
        unit: null,
      });
    return (await alarm.raise(writer, lost)) ? `alarm: ${problem}` : null;
  };
}
