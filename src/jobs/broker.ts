// Raises an alarm when the ship's broker is lost: nothing is received then, and somebody aboard may
// have to repair it. Any MQTT problem of /readyz counts, a refusal too, once it has lasted 10 s, so
// that a broker's restart raises none.

import { SECOND_MS } from "../ground/clock.ts";
import { withoutPlaces } from "../ground/redaction.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** Time after which a problem raises the alarm: three attempts to connect, and a start. */
const BORNE_MS = 10 * SECOND_MS;

/** Watches the connection by the steady clock; for the embedded broker, its addresses. */
export function brokerWatch(): Job["run"] {
  const alarm = ownAlarmOf("BROKER_LOST");
  let since_ms: number | null = null;
  return async (tools) => {
    const found = tools.link();
    if (found === null) return null;
    const { mode, problem, where } = found;
    if (problem === null) {
      since_ms = null;
      return (await alarm.clear(tools)) ? "the ship's broker is there again" : null;
    }
    since_ms ??= performance.now();
    if (performance.now() - since_ms < BORNE_MS) return null;
    // Alarms are readable without a login, so the broker's address is only in the log.
    const isClient = mode === "client";
    const text = isClient
      ? `the ship's broker: ${withoutPlaces(problem, where)}`
      : `MQTT: ${problem}`;
    return (await alarm.raise(tools, { text, parameter: "broker" })) ? `alarm: ${problem}` : null;
  };
}
