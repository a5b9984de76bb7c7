// The answer of /api/overview: all data of the first page, now or at a moment of the past, in one
// piece. Unknown values are null, with a reason if there is one.

import * as z from "zod";
import { NestedHealth } from "../health-record.ts";
import { DATA_STATES } from "../idle-plant.ts";
import { LAMP_COUNT, TAGS } from "../tags.ts";
import { TelemetryReading } from "../telemetry.ts";
import { AlarmAnswer } from "./alarm.ts";
import { LACKING } from "./lacking.ts";
import { LAMP_CONDITIONS } from "./lamp-condition.ts";
import { VOLUME_SOURCES } from "./operation.ts";
import { overviewExample } from "./overview-example.ts";
import { FINISH_WORDS, TO_DO, VERDICTS } from "./present-words.ts";
import { KNOWN_BY } from "./silence.ts";
import { NO_TIME_REASONS } from "./time-to-limit.ts";

const time = z.iso.datetime();
const number = z.number().nullable();
const text = z.string().nullable();
const about = (description: string) => ({ description });

const hours = {
  hours: number.meta(about("null: see reason")),
  hours_low: number.meta(about("the early end of the interval")),
  hours_high: number.meta(about("its late end")),
  reason: z
    .enum(NO_TIME_REASONS)
    .nullable()
    .meta(about("why there are no hours; unknown: no reading tells if water is treated")),
};

/** The plant's own fields; the lamps' fields are in `lamps`. */
export const OVERVIEW_TAGS = TAGS.map((tag, index) => ({ ...tag, index })).filter(
  ({ name }) => name !== "timestamp" && !name.startsWith("LAMP_"),
);

const values = z.object(
  Object.fromEntries(OVERVIEW_TAGS.map(({ name }) => [name, TelemetryReading.shape[name]])),
);

/** Typical values of these fields. */
function exampleValues(): Readonly<Record<string, unknown>> {
  const typical: Readonly<Record<string, unknown>> = Object(TelemetryReading.meta()?.example);
  return Object.fromEntries(OVERVIEW_TAGS.map(({ name }) => [name, typical[name]]));
}

const reading = z
  .object({
    timestamp: time.meta(
      about("by the plant's clock, of the newest reading with state, flow or UV"),
    ),
    received_at: time.meta(about("by ballastd's clock")),
    clock_trusted: z.boolean().meta(about("whether ballastd's clock was trusted then")),
    values: values.meta(about("of each field the newest value of the last 15 minutes")),
    times: z
      .record(z.string(), time)
      .meta(about("of the fields whose value came in another reading")),
    doubted: z
      .record(
        z.string(),
        z.object({
          value: z.union([z.number(), z.string(), z.boolean()]).meta(about("as it came")),
          reason: z.enum(["implausible", "bad_quality"]),
        }),
      )
      .meta(about("the newest values that aren't believed: they are null in values")),
  })
  .nullable();

const forecast = z
  .object({
    timestamp: time,
    remaining_hours: number,
    remaining_hours_p05: number,
    remaining_hours_p95: number,
    remaining_operations: number,
    basis: text.meta(about("as in /api/predictions")),
  })
  .nullable();

const PastLifeAnswer = z
  .object({
    since: time.meta(about("of the reading that ended its last stretch above the end of life")),
    hours: z.number().meta(about("operating hours since then")),
  })
  .nullable()
  .meta(about("null unless the condition is past_life"));

const lamp = z.object({
  lamp: z.number().int().min(1).max(LAMP_COUNT),
  state: z.enum(["active", "standby", "failed", "unknown"]),
  status: text.meta(about("as sent")),
  condition: z.enum(LAMP_CONDITIONS).meta({
    description:
      "near_end: within the forecasts' horizon, or dim; past_life: worn by its own light, and " +
      "burning; " +
      "unknown: neither status nor forecast tells, the status is an unknown word, or its present " +
      "output isn't known",
  }),
  past_life: PastLifeAnswer,
  no_light_since: time
    .nullable()
    .meta(about("in the newest hour of treatment no light of it was told; null while one was")),
  efficiency_percent: number,
  runtime_hours: number.meta(about("of the lamp fitted, by its counter")),
  power_w: number,
  timestamp: time.nullable().meta(about("of the oldest of these values; null without one")),
  forecast: forecast.meta(about("null: there is none, or forecasts are suspended")),
});

const operation = z
  .object({
    operation_type: text,
    location: text,
    since: time,
    known_by: z.enum(KNOWN_BY).meta(about("events of the plant, or readings alone")),
    volume_m3: number,
    volume_by: z.enum(VOLUME_SOURCES).nullable().meta(about("flow: integrated over time")),
    usual: z
      .object({
        volume_m3: z.number().meta(about("the median")),
        operations: z.number().int().min(1).meta(about("how many that is of")),
        of: z.enum(["type_and_location", "type"]),
      })
      .nullable()
      .meta(about("of earlier operations of this type here, else of this type anywhere")),
    hours_left: number.meta(about("of the usual volume, at the present flow")),
    can_finish: z
      .enum(FINISH_WORDS)
      .meta(about("before the intensity falls to its limit; yes only while within limits")),
    lamps_at_risk: z
      .array(z.number().int())
      .meta(about("lamps that may fail before; wear is in the light, and no risk")),
  })
  .nullable();

const OverviewAlert = AlarmAnswer.pick({
  ...{ id: true, code: true, description: true, source: true, priority: true, alert_state: true },
  ...{ since: true, count: true, lamp: true, value: true, limit: true, unit: true, action: true },
  shelved_until: true,
}).extend({
  count: AlarmAnswer.shape.count
    .nullable()
    .meta(about("how often it had risen; null: not known, it rose again after that moment")),
});

const overOperations = z
  .object({
    operations: z.number().int().meta(about("that it rests on, at most the newest 20")),
    start: time.nullable(),
    end: time.nullable(),
    at_equal_power: z.boolean().meta(about("the light of each is brought to the newest's power")),
    fall_w_m2: number.meta(about("from one operation to the next; positive: it falls")),
    fall_low: number,
    fall_high: number,
    operations_left: number.meta(about("until the mode's limit is met; null: see reason")),
    operations_low: number,
    operations_high: number,
    reason: z.enum(NO_TIME_REASONS).nullable(),
  })
  .meta(about("the fall of the operations' mean light since the lamps were renewed"));

const line = z.object({
  ...hours,
  mode: z.enum(["IMO", "USCG"]).nullable().meta(about("the mode whose limit these hours are to")),
  imo: z.object(hours),
  uscg: z.object(hours),
  fall_w_m2_per_hour: number.meta(about("positive: it falls; null with too few readings")),
  fall_low: number,
  fall_high: number,
  confidence: z.number().meta(about("of the intervals")),
  points: z.number().int().meta(about("medians of even spans of time that the line goes through")),
  start: time.nullable(),
  end: time.nullable(),
  over_operations: overOperations,
});

const limits = z.object({
  ...{ uv_imo: z.number(), uv_uscg: z.number(), uv_target: z.number() },
  ...{ flow_max_imo: z.number(), flow_max_uscg: z.number() },
  ...{ dp_warn: z.number(), dp_alarm: z.number() },
  ...{ cabinet_warn: z.number(), cabinet_trip: z.number() },
  water_warn: z.number().meta(about("degC, of ballastd's health score")),
  water_trip: z.number(),
  source: z.string().meta(about("where the limits come from, as configured")),
});

export const OverviewAnswer = z
  .object({
    at: time.nullable().meta(about("the moment asked for; null: now")),
    now: time.meta(about("ballastd's clock")),
    last_event_id: text.meta(
      about("a stream that is opened with it misses nothing after this answer; null for the past"),
    ),
    simulated: z.boolean(),
    kept_from: time.nullable().meta(about("readings before it have expired")),
    reading,
    hidden: z
      .object({ start: time, end: time, reason: z.string() })
      .nullable()
      .meta(about("a void that hides readings after the one shown, up to that moment")),
    received_seconds_ago: number.meta(
      about("since readings came last, whatever time they had; null for the past"),
    ),
    reading_seconds_ago: number.meta(
      about("age of the reading at `at` or now, corrected by the plant's clock where known"),
    ),
    plant_clock_offset_seconds: number.meta(
      about("plant's clock less ballastd's, as of the newest reading; null: not known"),
    ),
    silence_seconds: z.number().meta(about("an older reading isn't the present")),
    data: z.enum(DATA_STATES).meta({
      description:
        "none: no reading; old: the newest is older than silence_seconds; silent: and none has " +
        "come for as long; ahead: it is dated later than now",
    }),
    old: z.boolean().meta(about("data is old or silent")),
    treating: z
      .boolean()
      .nullable()
      .meta(about("by the newest reading; null: it doesn't tell, or isn't of now")),
    verdict: z.enum(VERDICTS).meta({
      description:
        "within_limit is said only if state, mode, intensity and flow are known, plausible, of " +
        "now and within. below_limit, above_flow, untreated (water moves while none is treated): " +
        "outside. quarantined: messages come, and none is taken; silent: old, while an operation " +
        "ran; idle_silent: old, and none ran; ahead: dated later than now; no_flow: the plant " +
        "runs and no water moves; not_judged: treating, and something isn't known; unknown: nor " +
        "if water is treated",
    }),
    because: z.array(z.enum(LACKING)).meta(about("what isn't known, if it can't be told")),
    tick: z.boolean().meta({
      description:
        "there is nothing to do: within_limit, or at rest without moving water, and to_do is " +
        "empty; false for the past",
    }),
    to_do: z
      .array(z.enum(TO_DO))
      .meta(about("what stands against it; alerts: alarms and warnings that aren't shelved")),
    mode: z.enum(["IMO", "USCG"]).nullable(),
    uv_limit: number.meta(about("W/m2, of the mode")),
    flow_limit: z.number().meta(about("m3/h, of the mode; the larger one without a mode")),
    limits,
    time_to_limit: line,
    lamps: z.array(lamp).length(LAMP_COUNT),
    forecasts_suspended: z.boolean(),
    operation,
    health: NestedHealth.nullable().meta(about("of the last quarter of an hour that has ended")),
    alerts_open: z.number().int().min(0).meta(about("how many were open at that moment")),
    alerts: z
      .array(OverviewAlert)
      .meta(
        about(
          "the 50 most urgent of them: unacknowledged before others, then by priority, then " +
            "newest first; code and unit to 200 characters",
        ),
      ),
  })
  .meta({ id: "Overview", example: overviewExample(exampleValues()) });
export type OverviewAnswer = z.output<typeof OverviewAnswer>;
