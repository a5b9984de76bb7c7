// Raises ballastd's own alarm when the maximum number of names of unknown tags is reached: messages
// with further ones are quarantined, and somebody must decide which are wanted.

import { TAG_NAMES_MAX } from "../sqlite/sealed/tag-names.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

export const TAGS_FIX =
  'give the PLC\'s tags fixed names, or leave them out by [map] unmapped = "drop"';

export function tagsWatch(): Job["run"] {
  const alarm = ownAlarmOf("TAG_NAMES_FULL");
  return async (tools) => {
    const names = tools.writer.tagNames();
    if (names === null) return null;
    if (names < TAG_NAMES_MAX)
      return (await alarm.clear(tools)) ? "there is room for names of unknown tags again" : null;
    const text = `${names} names of unknown tags are kept: further ones go to quarantine`;
    const full = { text, parameter: "tag_names", value: names, limit: TAG_NAMES_MAX };
    if (!(await alarm.raise(tools, full))) return null;
    tools.log.warn(text, { fix: TAGS_FIX });
    return `alarm: ${text}`;
  };
}
