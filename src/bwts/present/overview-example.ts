// The overview's example in the API's document: an uptake at Singapore within limits, with nothing
// to do.

import { NestedHealth } from "../health-record.ts";
import { LAMP_NUMBERS } from "../tags.ts";

/** The example; `values` are those of the plant's own fields. */
export function overviewExample(values: Readonly<Record<string, unknown>>) {
  const timestamp = "2026-05-01T06:30:00.000Z";
  const toLimit = { hours: 11.2, hours_low: 9.1, hours_high: 14.3, reason: null };
  const falling = { fall_w_m2_per_hour: 15.1, fall_low: 11.8, fall_high: 18.6, confidence: 0.9 };
  const forecast = {
    ...{ timestamp, remaining_hours: 812.5, remaining_hours_p05: 240.5 },
    ...{ remaining_hours_p95: 1630, remaining_operations: 33.9, basis: "fit" },
  };
  return {
    ...{ at: null, now: "2026-05-01T06:30:02.000Z", simulated: false, kept_from: null },
    reading: {
      ...{ timestamp, received_at: "2026-05-01T06:30:01.400Z", clock_trusted: true },
      ...{ values, times: {}, doubted: {} },
    },
    ...{ hidden: null, received_seconds_ago: 1, reading_seconds_ago: 0.6 },
    ...{ plant_clock_offset_seconds: -1.4, silence_seconds: 900 },
    ...{ data: "fresh", old: false },
    ...{ treating: true, verdict: "within_limit", because: [], tick: true, to_do: [] },
    ...{ mode: "IMO", uv_limit: 252 },
    ...{ flow_limit: 1000, last_event_id: "5f3a09c1d2e4-41" },
    limits: {
      ...{ uv_imo: 252, uv_uscg: 530, uv_target: 650, flow_max_imo: 1000, flow_max_uscg: 1000 },
      ...{ dp_warn: 0.5, dp_alarm: 1, cabinet_warn: 45, cabinet_trip: 60, water_warn: 40 },
      ...{ water_trip: 45, source: "type approval certificate" },
    },
    time_to_limit: {
      ...{ ...toLimit, mode: "IMO", imo: toLimit },
      uscg: { hours: null, hours_low: null, hours_high: null, reason: "below_limit" },
      ...{ ...falling, points: 24, start: "2026-05-01T05:18:00.000Z", end: timestamp },
      over_operations: {
        ...{ operations: 14, start: "2026-02-03T09:00:00.000Z", end: "2026-04-27T17:40:00.000Z" },
        ...{ at_equal_power: true, fall_w_m2: 6.2, fall_low: 4.9, fall_high: 7.4 },
        ...{ operations_left: 31.4, operations_low: 26.1, operations_high: 40, reason: null },
      },
    },
    lamps: LAMP_NUMBERS.map((_, index) => ({
      ...{ lamp: index + 1, state: "active", status: "ACTIVE", efficiency_percent: 90.3 },
      ...{ condition: "good", past_life: null, no_light_since: null },
      ...{ runtime_hours: 2187.5, power_w: 3100, timestamp, forecast },
    })),
    forecasts_suspended: false,
    operation: {
      ...{ operation_type: "BALLAST", location: "Singapore", since: "2026-05-01T05:08:00.000Z" },
      ...{ known_by: "events", volume_m3: 1094.2, volume_by: "totaliser" },
      usual: { volume_m3: 6120.5, operations: 7, of: "type_and_location" },
      ...{ hours_left: 6.28, can_finish: "yes", lamps_at_risk: [] },
    },
    health: NestedHealth.meta()?.example,
    ...{ alerts_open: 0, alerts: [] },
  };
}
