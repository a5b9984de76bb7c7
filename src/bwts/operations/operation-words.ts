// The words of the answer about an operation: verdicts, remarks, indications, parts and fields.
// Without zod: they are part of the page.

import { wordOf } from "../plc-word.ts";

/** The three verdicts. None of them says that water met a discharge standard. */
export const OPERATION_VERDICTS = ["within_limits", "outside_limits", "cannot_tell"] as const;

export const OPERATION_VOLUME_SOURCES = ["totaliser", "flow"] as const;

/** Facts about an operation as a whole that a reader of its verdict must know. */
export const REMARKS = {
  no_start: "its PROCESS_START wasn't sent: the first reading of it tells the start",
  no_stop: "its PROCESS_STOP wasn't sent: readings or the next start tell the end",
  never_ended: "nothing tells its end: readings stopped while it ran",
  water_unseen:
    "more water may have moved in the silence before its first reading or after its last",
  overlaps: "another operation was under way at the same time",
  crosses_month: "it began in one month and ended in another (UTC)",
  clock_stepped: "a clock was set while it ran",
  clock_untrusted: "readings came while the box's clock wasn't trusted",
  volume_differs: "totaliser and integrated flow differ by more than 2 %",
  volume_unclear: "totaliser and flow contradict each other: the volume cannot be told",
  totaliser_reset: "the totaliser fell or leapt while it ran",
  totaliser_odd: "single values of the totaliser were odd, and are left out",
  totaliser_stands: "the totaliser stood still while water flowed",
  trickle: "water moved too slowly to be judged: 2 % of the certified flow or less",
  implausible_values: "values came that no plant has, or of bad quality: they count as not told",
  sensor_frozen: "a sensor was the same to the digit while others moved",
  sensor_contradicted: "sensors contradict each other",
  readings_contradicted:
    "messages of one time contradict each other: the later ones are quarantined",
  readings_hidden: "a void hides readings of it",
  readings_expired: "its raw readings have expired: proven, and not to be computed again",
  damaged: "it is damaged on disk: of what is stored only what stands here can be told",
  withdrawn: "data that came later says that there was no such operation",
  waiting: "its data or the limits have changed since it was judged: it waits to be judged again",
} as const;

/** Limits as words before their value, by the configuration's key. */
export const LIMIT_WORDS: Readonly<Record<string, string>> = {
  "limits.uv_imo": "UV, IMO, at least",
  "limits.uv_uscg": "UV, USCG, at least",
  "limits.flow_max_imo": "flow, IMO, at most",
  "limits.flow_max_uscg": "flow, USCG, at most",
  "limits.dp_warn": "filter, differential pressure warns at",
  "limits.dp_alarm": "filter, differential pressure alarms at",
  "limits.cabinet_warn": "air in the lamp drive cabinet warns at",
  "limits.cabinet_trip": "air in the lamp drive cabinet trips at",
  "limits.cip_hours": "cleaning (CIP) due after",
  "limits.beyond_seconds": "time beyond a limit, in all at most",
  "limits.warmup_seconds": "warming up, at most",
  "limits.stopping_seconds": "stopping, at most",
};

/** A unit of the catalogue as people write it. */
export function printedUnit(unit: string): string {
  return unit
    .replace(/\bm2\b/, "m²")
    .replace(/\bm3\b/, "m³")
    .replace(/^degC$/, "°C");
}

/** Evidence that may help to explain an operation; never a finding. */
export const INDICATIONS = [
  "challenging_water",
  "failing_equipment",
  "lamp_out",
  "filter_dp_high",
  "cabinet_hot",
  "cip_due",
] as const;

/** Fields of which an operation has the spread. */
export const OPERATION_FIELDS = [
  "UVR_INTENSITY",
  "SYS_FLOW_RATE",
  "UVR_POWER_OUTPUT",
  "SYS_PRESSURE",
  "UVR_WATER_TEMP",
  "FLT_DIFF_PRESSURE",
  "LDC_AIR_TEMP",
] as const;

/**
 * True for a cleaning. An operation that only has the type of a cleaning has a verdict like any
 * other.
 */
export const isCleaning = (one: {
  readonly operation_type: string | null;
  readonly verdict: string | null;
}) => wordOf(one.operation_type) === "CIP" && one.verdict === null;

/** Kinds of parts of an operation. */
export const OPERATION_PARTS = [
  "within_limits",
  "outside_limits",
  "bypassed",
  "cannot_tell",
] as const;

/** `20 of 480 min not recorded`, for what is printed beside a verdict in English; null for none. */
export function notRecordedText(
  told: { readonly seconds: number; readonly of_seconds: number } | null,
): string | null {
  const missing = notRecordedMinutes(told);
  return missing === null ? null : `${missing.minutes} of ${missing.of} min not recorded`;
}

/** Minutes of moving water of which something isn't recorded, rounded up; null for none. */
export function notRecordedMinutes(
  told: { readonly seconds: number; readonly of_seconds: number } | null,
): { readonly minutes: number; readonly of: number } | null {
  if (told === null || told.seconds === 0) return null;
  return { minutes: Math.ceil(told.seconds / 60), of: Math.ceil(told.of_seconds / 60) };
}
