// A bucket of readings, as `/api/telemetry/aggregated` answers it: the seed's 57 members in the
// seed's order, made of the catalogue so that a field's type and unit are said once.

import * as z from "zod";
import { AGGREGATED, type Aggregate, TAGS } from "./tags.ts";

const HOW: Readonly<Record<Aggregate, string>> = {
  mean: "mean of the bucket, 4 decimals",
  max: "maximum of the bucket",
  last: "value of the bucket's last reading that has it",
};

const fields = AGGREGATED.map((index) => {
  const { name, type, unit, about, aggregate } = TAGS[index];
  const number = type === "integer" ? z.number().int() : z.number();
  const how = aggregate === null ? "" : `; ${HOW[aggregate]}`;
  const description = `${about}${unit === null ? "" : ` (${unit})`}${how}`;
  return [name, number.nullable().meta({ description })];
});

/**
 * One bucket: `timestamp` is its start, `recordCount` its number of readings; null marks a field
 * without values.
 */
export const AggregatedRow = z
  .object({
    timestamp: z.iso.datetime().meta({ description: "start of the bucket, UTC" }),
    ...Object.fromEntries(fields),
    recordCount: z.number().int().min(1).meta({ description: "raw readings in the bucket" }),
  })
  .meta({ id: "AggregatedRow" });
