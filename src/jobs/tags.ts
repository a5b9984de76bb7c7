// Raises ballastd's own alarm when the limit of names of unknown tags is reached: further ones go
// to quarantine, and somebody must decide which are wanted.

import { OWN_ALARMS } from "../bwts/alarm.ts";
import { ownAlarm } from "../bwts/event.ts";
import { TAG_NAMES_MAX } from "../sqlite/sealed/tag-names.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

export const TAGS_FIX =
  'give the PLC\'s tags fixed names, or leave them out by [map] unmapped = "drop"';

export function tagsWatch(): Job["run"] {
  const alarm = ownAlarmOf(OWN_ALARMS.tags);
  return async ({ writer, log, clock }) => {
    const names = writer.tagNames();
    if (names === null) return null;
    if (names < TAG_NAMES_MAX)
      return (await alarm.clear(writer)) ? "there is room for names of unknown tags again" : null;
    const text = `${names} names of unknown tags are kept: further ones go to quarantine`;
    const full = () =>
      ownAlarm(clock.now_ms(), {
        code: OWN_ALARMS.tags,
        text,
        parameter: "tag_names",
        value: names,
        limit: TAG_NAMES_MAX,
        unit: null,
      });
    if (!(await alarm.raise(writer, full))) return null;
    log.warn(text, { fix: TAGS_FIX });
    return `alarm: ${text}`;
  };
}
