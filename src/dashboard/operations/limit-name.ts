// Names a limit in words, made from the label of its field. The limit's own key is one of the
// configuration, which the crew never sees.

import { type TagName, tagNamed } from "../../bwts/tags.ts";
import { printLabel } from "../lang/fields.ts";
import { firstWatchWords, shellWords } from "../lang/words.ts";

const FIELDS: readonly (readonly [begin: string, field: TagName])[] = [
  ["limits.uv_", "UVR_INTENSITY"],
  ["limits.flow_max_", "SYS_FLOW_RATE"],
  ["limits.dp_", "FLT_DIFF_PRESSURE"],
  ["limits.cabinet_", "LDC_AIR_TEMP"],
  ["limits.cip_", "CIP_HOURS_SINCE_LAST"],
];

/** Keys of the times that a verdict allows; they have the names of the ship's settings. */
const TIMES = ["beyond_seconds", "warmup_seconds", "stopping_seconds"] as const;

/**
 * A name such as `UV intensity, IMO`; the key itself for a limit that this page doesn't know yet.
 */
export function limitName(key: string): string {
  const time = TIMES.find((one) => key === `limits.${one}`);
  if (time !== undefined) return firstWatchWords(time);
  const [begin, field] = FIELDS.find(([one]) => key.startsWith(one)) ?? [];
  if (begin === undefined || field === undefined) return key;
  const label = printLabel(tagNamed(field));
  switch (key.slice(begin.length)) {
    case "hours":
      return label;
    case "warn":
      return `${label}, ${shellWords("worst_warning")}`;
    case "alarm":
    case "trip":
      return `${label}, ${shellWords("worst_alarm")}`;
    default:
      return `${label}, ${key.slice(begin.length).toUpperCase()}`;
  }
}
