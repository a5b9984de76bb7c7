// Readings as the API answers them: whole, in pages, summed up, reduced to the lamps' fields, and
// the newest one in the overview for a page's first screen. Their members are derived from the
// catalogue, so that a field's type and unit are defined once. The readers' threads write these
// answers as bytes (codec/json.ts).

import * as z from "zod";
import { EventAnswer } from "./event.ts";
import { NestedHealth } from "./health-record.ts";
import { AGGREGATED, type Aggregate, RUNTIME_ANALYSIS, TAGS, type Tag } from "./tags.ts";

const count = z.number().int().min(0);

/**
 * The place of a page in the whole list: `total` counts all of it, so that a client knows how much
 * is left.
 */
export const Pagination = z
  .object({
    offset: count.meta({ description: "records skipped" }),
    limit: count.meta({ description: "page size asked for" }),
    total: count.meta({ description: "records in the whole range" }),
    hasMore: z.boolean().meta({ description: "whether more follow after this page" }),
  })
  .meta({ example: { offset: 0, limit: 100, total: 1, hasMore: false } });

const timestamp = "2026-05-01T06:30:00.000Z";

/** The catalogue's typical values of these fields, for examples. */
function typicalOf(tags: readonly Tag[]): Record<string, unknown> {
  return Object.fromEntries(tags.map((tag) => [tag.name, typical(tag)]));
}

function typical(tag: Tag): unknown {
  if (tag.name === "timestamp") return timestamp;
  if (tag.typical === null || typeof tag.typical !== "object") return tag.typical;
  const [low, high] = tag.typical;
  const middle = (low + high) / 2;
  return tag.type === "integer" ? Math.floor(middle) : Math.round(middle * 100) / 100;
}

function schemaOf(tag: Tag): z.ZodType {
  const unit = tag.unit === null ? "" : ` (${tag.unit})`;
  const meta = { description: `${tag.about}${unit}` };
  switch (tag.type) {
    case "number":
      return z.number().nullable().meta(meta);
    case "integer":
      return z.number().int().nullable().meta(meta);
    case "boolean":
      return z.boolean().nullable().meta(meta);
    case "string":
      return tag.name === "timestamp"
        ? z.iso.datetime().meta(meta)
        : z.string().nullable().meta(meta);
  }
}

/** A reading on the wire: all catalogue members, null where unknown, then the unknown tags. */
export const TelemetryReading = z
  .object(Object.fromEntries(TAGS.map((tag) => [tag.name, schemaOf(tag)])))
  .catchall(z.union([z.number(), z.string(), z.boolean()]))
  .meta({
    id: "TelemetryReading",
    description:
      "One reading. Every catalogue field is present, null where nothing is known; tags that the " +
      "catalogue does not know follow under their own names.",
    example: typicalOf(TAGS),
  });

/** A page of a range: `total` counts all of it, so that a client knows its progress. */
export const ReadingPage = z
  .object({ data: z.array(TelemetryReading), pagination: Pagination })
  .meta({
    id: "ReadingPage",
    example: {
      data: [typicalOf(TAGS)],
      pagination: { offset: 0, limit: 500, total: 1, hasMore: false },
    },
  });

const HOW: Readonly<Record<Aggregate, string>> = {
  mean: "mean of the bucket, 4 decimals",
  max: "maximum of the bucket",
  last: "value of the bucket's last reading that has it",
};

const aggregated = AGGREGATED.map((index) => {
  const { name, type, unit, about, aggregate } = TAGS[index];
  const number = type === "integer" ? z.number().int() : z.number();
  const how = aggregate === null ? "" : `; ${HOW[aggregate]}`;
  const description = `${about}${unit === null ? "" : ` (${unit})`}${how}`;
  return [name, number.nullable().meta({ description })];
});

/** One bucket: null marks a field without values. */
export const AggregatedRow = z
  .object({
    timestamp: z.iso.datetime().meta({ description: "start of the bucket, UTC" }),
    ...Object.fromEntries(aggregated),
    recordCount: z.number().int().min(1).meta({ description: "raw readings in the bucket" }),
  })
  .meta({
    id: "AggregatedRow",
    example: {
      timestamp: "2026-05-01T00:00:00.000Z",
      ...typicalOf(AGGREGATED.map((index) => TAGS[index])),
      recordCount: 480,
    },
  });

const bandExample = { UVR_INTENSITY: 612.4, UVR_INTENSITY_min: 540.2, UVR_INTENSITY_max: 655 };
const pageExample = { offset: 0, limit: 500, total: 1, hasMore: false };

/** One bucket, reduced to the fields asked for. */
export const FieldsRow = z
  .object({
    timestamp: z.iso.datetime().meta({ description: "start of the bucket, UTC" }),
    recordCount: z.number().int().min(1).meta({ description: "raw readings in the bucket" }),
  })
  .catchall(z.number().nullable())
  .meta({
    id: "FieldsRow",
    description:
      "Of each field asked for its value (the mean, if buckets keep no other), and its least " +
      "and greatest as _min and _max, which are null for a counter such as lamp hours.",
    example: { timestamp: "2026-05-01T00:00:00.000Z", ...bandExample, recordCount: 480 },
  });

/** A page of readings of the fields asked for. */
export const FieldsPage = z
  .object({
    data: z.array(
      z
        .object({ timestamp: z.iso.datetime() })
        .catchall(z.union([z.number(), z.string(), z.boolean()]).nullable()),
    ),
    pagination: Pagination,
  })
  .meta({
    id: "FieldsPage",
    example: { data: [{ timestamp, UVR_INTENSITY: 612.4 }], pagination: pageExample },
  });

const analysed = RUNTIME_ANALYSIS.map((index) => TAGS[index]);

/** A reading reduced to the fields of the lamps' runtime analysis. */
export const RuntimeRow = z
  .object({
    timestamp: z.iso.datetime().meta({ description: "time of the reading, UTC" }),
    ...Object.fromEntries(analysed.map(({ name }) => [name, TelemetryReading.shape[name]])),
  })
  .meta({ id: "RuntimeRow", example: { timestamp, ...typicalOf(analysed) } });

const mean = (description: string, example: number) =>
  z.number().nullable().meta({ description, example });

/** The answer of `/api/stats`; parts without data are null. */
export const Stats = z
  .object({
    latestTelemetry: TelemetryReading.nullable(),
    latestHealth: NestedHealth.nullable(),
    recentEvents: z
      .array(EventAnswer)
      .max(100)
      .meta({ description: "of the 24 hours up to the newest event, newest first" }),
    monthlyAvg: z
      .object({
        avgUVIntensity: mean("mean UVR_INTENSITY (W/m2)", 612.4),
        avgPowerOutput: mean("mean UVR_POWER_OUTPUT (% of rated)", 78.2),
        avgFlowRate: mean("mean SYS_FLOW_RATE (m3/h)", 640.9),
      })
      .meta({ description: "over the UTC calendar month of the latest reading" }),
  })
  .meta({ id: "Stats" });
export type Stats = z.output<typeof Stats>;
