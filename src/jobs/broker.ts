// Raises an alarm when the ship's broker is lost: nothing is received then, and somebody aboard may
// have to mend it. Any MQTT problem of /readyz counts, a refusal too, after it has lasted some
// seconds: a broker that restarts is no alarm.

import { OWN_ALARMS } from "../bwts/alarm.ts";
import { ownAlarm } from "../bwts/event.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { withoutPlaces } from "../ground/redaction.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** A problem may last this long: three attempts to connect, and the start of a run. */
const BORNE_MS = 10 * SECOND_MS;

/** Watches the link by the steady clock; for the embedded broker, its addresses. */
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
        // Anybody may read alarms; the broker's address is only in the log.
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
