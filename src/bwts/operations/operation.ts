// An operation of the treatment system, judged from its start to its stop, as /api/operations
// answers it and as the ledger has it. Every time is UTC; a member that isn't known is null.

import * as z from "zod";
import { KNOWN_BY } from "../present/silence.ts";
import { OPERATION_EXAMPLE } from "./operation-example.ts";
import {
  INDICATIONS,
  type OPERATION_FIELDS,
  OPERATION_PARTS,
  OPERATION_VERDICTS,
  OPERATION_VOLUME_SOURCES,
  REMARKS,
} from "./operation-words.ts";

const time = z.iso.datetime();
const number = z.number().nullable();
const text = z.string().nullable();
const count = z.number().int().min(0);
const about = (description: string) => ({ description });

export type OperationVerdict = (typeof OPERATION_VERDICTS)[number];

export type Remark = keyof typeof REMARKS;
const remarks = Object.keys(REMARKS).filter((name): name is Remark => name in REMARKS);

/** One reason of a verdict: an interval in which a rule was broken, or couldn't be judged. */
export const OperationReason = z
  .object({
    rule: z.string().meta(about("an id of the table of rules, as `uv_below_limit`")),
    verdict: z.enum(["outside_limits", "cannot_tell"]),
    start: time.meta(about("the first reading that breaks the rule")),
    end: time.meta(about("the first reading that doesn't, or the end of the operation")),
    seconds: z.number().meta(about("that its readings stand for, without gaps")),
    readings: count.meta(about("that break the rule")),
    parameter: text,
    unit: text,
    limit: number.meta(about("in force at the time")),
    limit_key: text.meta(about("of the configuration, as `limits.uv_imo`")),
    worst: number.meta(about("the value furthest beyond the limit")),
    worst_at: time.nullable(),
    volume_m3: number.meta(about("in the interval")),
    is_hidden: z.boolean().meta(about("true if it rests on readings that a void hides")),
  })
  .meta({ id: "OperationReason" });
export type OperationReason = z.output<typeof OperationReason>;

export const Indication = z
  .object({
    indication: z.enum(INDICATIONS),
    start: time,
    end: time,
    evidence: z
      .record(z.string(), z.union([z.number(), z.string(), z.null()]))
      .meta(about("values by name, with the unit in the name")),
  })
  .meta({ id: "OperationIndication" });
export type Indication = z.output<typeof Indication>;

/** Minimum, mean and maximum of a field; UV, flow and power: while water was treated. */
const Spread = z.object({
  unit: text,
  readings: count.meta(about("that have the field")),
  min: number,
  mean: number,
  max: number,
});

/** Spread of each field, by its name. */
const SPREADS = {
  ...{ UVR_INTENSITY: Spread, SYS_FLOW_RATE: Spread, UVR_POWER_OUTPUT: Spread },
  ...{ SYS_PRESSURE: Spread, UVR_WATER_TEMP: Spread, FLT_DIFF_PRESSURE: Spread },
  LDC_AIR_TEMP: Spread,
} satisfies { readonly [Field in (typeof OPERATION_FIELDS)[number]]: typeof Spread };

/** A version of a verdict. */
export const VerdictVersion = z
  .object({
    version: z.number().int().min(1),
    made: time,
    verdict: z
      .enum(OPERATION_VERDICTS)
      .nullable()
      .meta(about("null of a cleaning, and once the operation is withdrawn")),
    because: z.string().meta(about("the reason for this version, as `14 readings came late`")),
    rules_version: z.number().int(),
    ledger_number: z.number().int().meta(about("its statement of the kind `verdict`")),
    given_out: time.nullable().meta(about("when it was printed or exported first")),
    given_out_number: z
      .number()
      .int()
      .nullable()
      .meta(
        about("the ledger's statement of the kind `given` about that; null: noted aboard only"),
      ),
  })
  .meta({ id: "OperationVerdictVersion" });
export type VerdictVersion = z.output<typeof VerdictVersion>;

const interval = { start: time, end: time, seconds: z.number() };

export const Operation = z
  .object({
    id: z.number().int().min(1).meta(about("stays, whatever comes late")),
    operation_type: text.meta(about("BALLAST, DEBALLAST, CIP, or as it was sent")),
    location: text,
    start: time,
    end: time.nullable().meta(about("null while it runs")),
    known_by: z.enum(KNOWN_BY),
    remarks: z.array(z.enum(remarks)),
    verdict: z
      .enum(OPERATION_VERDICTS)
      .nullable()
      .meta(
        about("null while it runs or waits to be judged again, of a cleaning, and once withdrawn"),
      ),
    verdict_with_hidden: z
      .enum(OPERATION_VERDICTS)
      .nullable()
      .meta(about("as if no void hid any reading; null without a void")),
    reasons: z.array(OperationReason),
    indications: z.array(Indication),
    parts: z
      .array(z.object({ part: z.enum(OPERATION_PARTS), ...interval, volume_m3: number }))
      .meta(about("the operation, split where it went outside its limits or was bypassed")),
    not_recorded: z
      .object({
        seconds: z.number().meta(about("of them not told: gaps, missing or disbelieved values")),
        of_seconds: z.number().meta(about("in which water moved, or may have")),
      })
      .nullable()
      .default(null)
      .meta(about("to be told beside the verdict; null of a version before this was told")),
    volume_m3: number.meta(
      about("null where readings don't tell it all, or totaliser and flow contradict each other"),
    ),
    volume_source: z.enum(OPERATION_VOLUME_SOURCES).nullable(),
    volume_totaliser_m3: number,
    volume_flow_m3: number.meta(about("flow integrated by trapezoids")),
    volume_difference_percent: number.meta(about("of the flow's against the totaliser's")),
    mode: z.enum(["IMO", "USCG"]).nullable(),
    limits: z
      .array(
        z.object({
          key: z.string(),
          value: z.number(),
          unit: text,
          from: time
            .nullable()
            .default(null)
            .meta(about("from when on it held; null of a version before this was told")),
          seconds_beyond: number.meta(
            about("while water was treated; null of another mode's, and of a time allowed"),
          ),
        }),
      )
      .meta(about("in force at the time; once more from each change within it")),
    limits_source: text.meta(about("`limits.source` of the time")),
    rules_version: z.number().int(),
    readings: count.meta(about("without hidden ones")),
    readings_hidden: count.meta(about("readings of it that a void hides")),
    values: z.object(SPREADS),
    lamps_out: z.array(z.object({ lamp: z.number().int().min(1).max(16), ...interval })),
    backflushes: z.number().int().nullable(),
    bypass_seconds: z.number(),
    hours_since_cip: number.meta(about("at the start")),
    alerts: z.array(
      z.object({ id: z.number().int(), code: z.string(), source: z.string(), raised: time }),
    ),
    gaps: z.array(z.object(interval)),
    clock_steps: z.array(z.object({ at: time, clock: z.string(), seconds: z.number() })),
    voids: z.array(
      z.object({
        id: z.number().int(),
        start: time,
        end: time,
        reason: z.string(),
        readings: count.meta(about("of the operation that it hides")),
      }),
    ),
    readings_root: text.meta(
      about("RFC 6962 root in base64 over its readings' NDJSON lines when the version was made"),
    ),
    version: z.number().int().min(0).meta(about("0 while it runs")),
    versions: z.array(VerdictVersion).meta(about("oldest first")),
  })
  .meta({ id: "Operation", example: OPERATION_EXAMPLE });
export type Operation = z.output<typeof Operation>;
