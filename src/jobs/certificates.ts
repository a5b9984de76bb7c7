// Raises an alert for each certificate that has expired, expires soon or can't be read: somebody
// ashore may have to make a new one. While the box's clock isn't trusted no date can be judged.

import { printTime, SECOND_MS } from "../ground/clock.ts";
import { withoutPlaces } from "../ground/redaction.ts";
import { type AlarmSwitch, ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** Interval, short enough for somebody who has just copied a new certificate and waits. */
export const CERTIFICATES_EVERY_MS = 10 * SECOND_MS;

export function certificatesWatch(): Job["run"] {
  const alarms = new Map<string, AlarmSwitch>();
  return async (tools) => {
    if (tools.writer.clock().problem !== null) return null;
    const done: string[] = [];
    for (const { use, ends_ms, problem } of tools.certificates()) {
      const alarm = alarms.get(use) ?? ownAlarmOf("CERTIFICATE_ENDS", use);
      alarms.set(use, alarm);
      if (problem === null) {
        if (await alarm.clear(tools)) done.push(`the certificate of ${use} is in order`);
        continue;
      }
      // Alerts are readable without a login, so paths on the disk are only in the log.
      const text = `${use}: ${withoutPlaces(problem)}`;
      const more = { use, ends: printTime(ends_ms) };
      if (await alarm.raise(tools, { text, parameter: "certificate", more })) done.push(text);
    }
    return done.length === 0 ? null : done.join("; ");
  };
}
