// One example of each answer, for the OpenAPI document. Fields of the catalogue have the
// catalogue's typical values.

import { AGGREGATED, RUNTIME_ANALYSIS, TAGS, type Tag } from "../../bwts/tags.ts";

const timestamp = "2026-05-01T06:30:00.000Z";

function typical(tag: Tag): unknown {
  if (tag.name === "timestamp") return timestamp;
  if (tag.typical === null || typeof tag.typical !== "object") return tag.typical;
  const [low, high] = tag.typical;
  const middle = (low + high) / 2;
  return tag.type === "integer" ? Math.floor(middle) : Math.round(middle * 100) / 100;
}

const typicalOf = (indices: readonly number[]) =>
  Object.fromEntries(indices.map((index) => [TAGS[index].name, typical(TAGS[index])]));

export const reading = Object.fromEntries(TAGS.map((tag) => [tag.name, typical(tag)]));
export const aggregatedRow = {
  timestamp: "2026-05-01T00:00:00.000Z",
  ...typicalOf(AGGREGATED),
  recordCount: 480,
};
export const runtimeRow = { timestamp, ...typicalOf(RUNTIME_ANALYSIS) };
export const readingPage = {
  data: [reading],
  pagination: { offset: 0, limit: 500, total: 1, hasMore: false },
};

const components = {
  uv_health: 96.2,
  lamp_health: 88.4,
  power_efficiency: 91,
  thermal_health: 100,
};
export const healthFlat = {
  timestamp,
  overall_score: 93.3,
  risk_level: "LOW",
  month: 5,
  componentsUvHealth: 96.2,
  componentsPowerEfficiency: 91,
  componentsLampHealth: 88.4,
  componentsThermalHealth: 100,
};
export const healthBucket = { timestamp, overall_score: 93.3, components, recordCount: 4 };

export const event = {
  timestamp,
  event_type: "PROCESS_START",
  description: "BALLAST process started at Singapore",
  data: { operation_type: "BALLAST", location: "Singapore", target_flow: 800 },
};

export const prediction = {
  timestamp,
  component_id: "LAMP_07",
  component_type: "UV_LAMP",
  predictions: {
    remaining_useful_life_hours: 812.5,
    failure_probability: 0.04,
    efficiency_percent: 88.1,
    remaining_useful_life_hours_p05: 240.5,
    remaining_useful_life_hours_p95: 1630,
    horizon_hours: 500,
    basis: "fit",
    model_version: "lamps-1",
    data_through: timestamp,
    expected_end: null,
    remaining_operations: 33.9,
    remaining_days: 339,
    end_date_p05: "2026-08-09",
    end_date_p50: "2027-04-05",
    end_date_p95: "2028-03-11",
  },
  current_state: { runtime_hours: 2187.5, efficiency_percent: 90.3, status: "OPERATIONAL" },
};

const life = {
  began: timestamp,
  began_by: "counter_fell",
  ended: null,
  outcome: null,
  hours: 412.5,
  efficiency_percent: 95.2,
  serial: "A-1723",
  plain_fit: {
    points: 31,
    fall_percent_per_1000_h: 11.2,
    end_hours: 3120.4,
    end_hours_from: 2811.9,
    end_hours_to: 3502.6,
  },
  places: [{ lamp: 7, from: timestamp }],
  notes: [],
};
export const lamps = {
  data_through: timestamp,
  suspended: null,
  duty: { operating_hours: 1752.4, hours_per_day: 2.4, hours_per_operation: 24 },
  lamps: Array.from({ length: 16 }, (_, index) => ({
    lamp: index + 1,
    present: index === 6 ? life : null,
    past: [],
  })),
};
export const trackRecord = {
  lamps_ended: { failed: 3, worn: 4, replaced: 2 },
  forecasts_scored: 640,
  coverage: 0.91,
  median_error_hours: 142.5,
  median_error_hours_rated: 610,
  brier: 0.07,
  brier_rated: 0.19,
  brier_base_rate: 0.18,
  message:
    "scored on this ship's own lamps; forecasts of one lamp are alike, so few lamps say little",
};
export const diagnosis = {
  at: timestamp,
  intensity: { now: 490.2, reference: 650.1, reference_at: timestamp, change_percent: -24.6 },
  causes: [
    {
      cause: "sleeve_fouling",
      share: 0.7,
      share_of_fall: 1,
      evidence: "25 % of the light is missing beyond what lamps explain; cleaned 47 days ago",
    },
    {
      cause: "lamp_ageing",
      share: 0.3,
      share_of_fall: 0,
      evidence: "the lamps give 88 % of new on average, past their life: 7 (57 %, 3041 h)",
    },
  ],
  findings: [{ code: "LAMP_PAST_LIFE", text: "lamp 7: 57 %, 3041 h" }],
  message: "why the light is low, by its shares",
};
export const replacement = { at: "2026-05-01T06:30:00Z", hours: 0, serial: "A-1723" };
export const replacementStored = {
  lamp: 7,
  at: timestamp,
  replaced: true,
  hours: 0,
  serial: "A-1723",
  note: null,
};

export const alarm = {
  code: "NO_DATA",
  description: "NO_DATA: no readings come though an operation is running",
  source: "ballastd",
  state: "cleared",
  since: timestamp,
  cleared_at: "2026-05-01T06:41:12.000Z",
  parameter: "last_reading",
  value: 122,
  limit: 120,
  unit: "s",
  data: { source: "ballastd", code: "NO_DATA", operation_type: "BALLAST" },
};

export const gap = {
  start: timestamp,
  end: "2026-05-01T06:41:12.000Z",
  seconds: 672,
  operation_type: "BALLAST",
  known_by: "events",
};

export const clock = {
  now: timestamp,
  trusted: true,
  problem: null,
  offset_seconds: -1.4,
  offset_readings: 15,
  offset_at: timestamp,
  drift_seconds_per_day: 0.6,
  steps: [
    {
      at: "2026-03-29T01:00:04.000Z",
      clock: "plc",
      from: "2026-03-29T01:00:02.600Z",
      to: "2026-03-29T02:00:02.600Z",
      seconds: 3600,
      name: "daylight saving",
      found: "by live readings",
    },
  ],
};

export const stats = {
  latestTelemetry: reading,
  latestHealth: { timestamp, overall_score: 93.3, risk_level: "LOW", month: 5, components },
  recentEvents: [event],
  monthlyAvg: { avgUVIntensity: 612.4, avgPowerOutput: 78.2, avgFlowRate: 640.9 },
};

export const auditPage = {
  data: [
    {
      id: 12,
      timestamp,
      clock_trusted: true,
      kind: "plant_added",
      actor: "chief",
      address: "192.168.4.20",
      detail: { id: "7", name: "BWTS-001", tag: "uv" },
      hash: "5b2c1e7f0d94a36881c0f7e9b3d26a4f5b2c1e7f0d94a36881c0f7e9b3d26a4f",
    },
  ],
  pagination: { offset: 0, limit: 100, total: 1, hasMore: false },
};

export const newPlant = { id: 7, name: "BWTS-001", tag: "uv" };
export const plant = { name: "BWTS-001", tag: "uv" };

export const readiness = {
  ready: true,
  reasons: [],
  simulated: false,
  system: { id: "BWTS-001", vessel: "Example", imo: "9074729", utc_offset: "+05:30" },
  limits: { uv_imo: 252, uv_uscg: 530, source: "type approval certificate" },
  last_reading: timestamp,
  last_commit: timestamp,
  last_received_seconds_ago: 3,
  mqtt: {
    ...{ mode: "embedded", connected: true, clients: 1, where: "127.0.0.1:1883", problem: null },
    ...{ since: "2026-05-01T06:00:00.000Z", session_lost: null },
  },
  disk: { free_bytes: 17_179_869_184, problem: null },
  clock: { now: timestamp, trusted: true, problem: null },
  damage: { found: 0, problems: [], proven: timestamp },
  jobs: [],
  certificates: [{ use: "http", ends: timestamp, problem: null }],
};
export const version = { version: "0.2.0", commit: "unbuilt", node: "24.21.0", sqlite: "3.51.0" };
