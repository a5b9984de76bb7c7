// The columns of a segment, and the relations between them. The first 101 have their index in the
// catalogue, with the reading's time in place of the timestamp. Behind them come the other
// properties of a reading, then a column for each unknown tag.

import {
  indexOfLampTag,
  indexOfTag,
  LAMP_FIELDS,
  LAMP_NUMBERS,
  TAGS,
  type TagName,
} from "../bwts/tags.ts";
import { type Column, KIND, valueAt } from "./column.ts";
import { type Decimal, FACTORS, SCALED_MAX } from "./decimal.ts";
import type { Integers } from "./integers.ts";
import type { Relations } from "./table.ts";

export const AT_MS = 0;
export const RECEIVED_MS = TAGS.length;
export const CLOCK_TRUSTED = TAGS.length + 1;
export const DERIVED_BITS = TAGS.length + 2;
/** Order of the unknown tags as column numbers, if it differs from that of their columns. */
export const EXTRA_ORDER = TAGS.length + 3;
export const EXTRAS = TAGS.length + 4;

/** Fields that measure nearly the same, or follow from the key by physics. */
const FOLLOWING: Partial<Record<TagName, readonly TagName[]>> = {
  UVR_INTENSITY_NORMALIZED: ["UVR_INTENSITY"],
  UVR_POWER_OUTPUT: ["UVR_POWER_SETPOINT"],
  UVR_POWER_SETPOINT: ["UVR_INTENSITY"],
  LDC_FAN_SPEED: ["LDC_AIR_TEMP"],
  SYS_PRESSURE: ["SYS_FLOW_RATE"],
  SYS_VALVE_POSITION: ["SYS_FLOW_RATE"],
  FLT_DIFF_PRESSURE: ["SYS_FLOW_RATE"],
  SYS_TOTAL_DEBALLAST_VOL: ["SYS_TOTAL_BALLAST_VOL"],
  CIP_HOURS_SINCE_LAST: ["LAMP_01_RUNTIME"],
  PLC_CPU_USAGE: ["PLC_CPU_TEMP"],
  DEGRADATION_IMPACT_PCT: ["AVG_LAMP_EFFICIENCY"],
  POWER_COMPENSATION_PCT: ["DEGRADATION_IMPACT_PCT"],
};

const AVERAGE = indexOfTag("AVG_LAMP_EFFICIENCY");
const EFFICIENCIES = LAMP_NUMBERS.map((_, lamp) => indexOfLampTag(lamp, "EFFICIENCY"));
const explainedBy = relatedColumns();

function relatedColumns(): ReadonlyMap<number, readonly number[]> {
  const related = new Map<number, readonly number[]>([[RECEIVED_MS, [AT_MS]]]);
  for (const [index, tag] of TAGS.entries()) {
    const listed = Object.entries(FOLLOWING).find(([name]) => name === tag.name)?.[1];
    if (listed !== undefined) related.set(index, listed.map(indexOfTag));
  }
  // The lamps burn together, and their fields are at equal distances.
  const first = TAGS.findIndex(({ name }) => name === "LAMP_01_STATUS");
  for (let index = first + LAMP_FIELDS.length; index < TAGS.length; index += 1)
    related.set(index, [index - LAMP_FIELDS.length]);
  const setpoint = indexOfTag("UVR_POWER_SETPOINT");
  for (const lamp of LAMP_NUMBERS.keys()) related.set(indexOfLampTag(lamp, "POWER"), [setpoint]);
  return related;
}

export const SEGMENT_RELATIONS: Relations = {
  explaining: (column) => explainedBy.get(column) ?? [],
  computedColumn: AVERAGE,
  computed: meanEfficiency,
};

// The mean of the lamps' efficiencies, summed in the same order as in bwts/merge.ts, so that a
// derived average leaves zero residuals; 0 if it isn't a number or too large.
function meanEfficiency(
  columns: (column: number) => Column,
  count: number,
  decimal: Decimal,
): Integers {
  const sums = new Float64Array(count);
  const lamps = new Float64Array(count);
  let lampsInAll = 0;
  for (const index of EFFICIENCIES) {
    const column = columns(index);
    if (column.kind === KIND.decimal && !column.decimal.single) {
      const { integers } = column;
      const factor = FACTORS[column.decimal.scale];
      for (let row = 0; row < count; row += 1) sums[row] += integers[row] / factor;
      lampsInAll += 1;
      continue;
    }
    for (let row = 0; row < count; row += 1) {
      const value = valueAt(column, row);
      if (typeof value !== "number") continue;
      sums[row] += value;
      lamps[row] += 1;
    }
  }
  const factor = FACTORS[decimal.scale];
  for (let row = 0; row < count; row += 1) {
    const scaled = Math.round((sums[row] / (lamps[row] + lampsInAll)) * factor);
    sums[row] = Math.abs(scaled) < SCALED_MAX ? scaled : 0;
  }
  return sums;
}
