// THE CATALOGUE: every telemetry field once. Types, validation, SQL columns, the OpenAPI document,
// /api/tags, the simulator's ranges, the dashboard's labels and the manual's table are derived from
// this list. The wire's spelling is the name everywhere: there is no second vocabulary inside. The
// order is the order of a reading's members in answers, and the layout of stored rows and segments:
// a change of it makes everything stored before unreadable.

/** The aggregation of a field in a bucket: mean, maximum, or newest value. */
export type Aggregate = "mean" | "max" | "last";
export type TagType = "number" | "integer" | "string" | "boolean";
/** The lowest and the highest plausible value. */
export type Span = readonly [number, number];

interface TagShape {
  readonly type: TagType;
  readonly unit: string | null;
  readonly about: string;
  /** A range for varying fields, an example for others; the simulator stays inside it. */
  readonly typical: readonly [number, number] | number | string | boolean | null;
  readonly aggregate: Aggregate | null;
  /**
   * Plausible values: one outside isn't believed (plausible.ts). Null for fields that aren't
   * numbers.
   */
  readonly span: Span | null;
}

/** One telemetry field as `/api/tags` lists it. */
export interface Tag extends TagShape {
  readonly name: string;
}

export const LAMP_COUNT = 16;

/**
 * Physically plausible spans; flow for a certified flow of 1,000 m3/h (`spansOf` takes the ship's).
 */
const SPANS = {
  intensity: [0, 5000],
  flow: [0, 3000],
  temperature: [-5, 120],
  pressure: [-1, 20],
  percent: [0, 150],
  /** Percentage of a target: a clean sensor in clear water reads a multiple of it. */
  normalised: [0, 1000],
  load: [0, 100],
  valve: [-10, 110],
  power_w: [0, 100_000],
  rpm: [0, 20_000],
  factor: [0, 10],
  /** Upper end: a century at 1,000 m3/h. */
  total: [0, 1e9],
  hours: [0, 1_000_000],
  lamp_hours: [0, 200_000],
  lamps: [0, LAMP_COUNT],
  month: [1, 12],
} as const satisfies Record<string, Span>;
type SpanName = keyof typeof SPANS;

const number = (unit: string, about: string, typical: Span, span: SpanName) =>
  ({ type: "number", unit, about, typical, aggregate: null, span: SPANS[span] }) as const;
const mean = (unit: string, about: string, typical: Span, span: SpanName) =>
  ({ type: "number", unit, about, typical, aggregate: "mean", span: SPANS[span] }) as const;
const text = (about: string, typical: string) =>
  ({ type: "string", unit: null, about, typical, aggregate: null, span: null }) as const;
const flag = (about: string) =>
  ({ type: "boolean", unit: null, about, typical: false, aggregate: null, span: null }) as const;

const system = {
  timestamp: {
    type: "string",
    unit: "UTC",
    about: "time of the reading, ISO 8601, printed with milliseconds and Z",
    typical: null,
    aggregate: null,
    span: null,
  },
  system_id: text(
    "identifier of the treatment system; from the payload, else from the MQTT topic",
    "BWTS-001",
  ),
  operation_type: text("BALLAST or DEBALLAST; CIP (cleaning in place) occurs in events", "BALLAST"),
  location: text("port or position where the operation takes place", "Singapore"),
  month: {
    type: "integer",
    unit: "1-12",
    about: "calendar month of timestamp in UTC, derived when absent",
    typical: 5,
    aggregate: null,
    span: SPANS.month,
  },
  UVR_INTENSITY: mean("W/m2", "raw UV sensor, the compliance figure", [200, 760], "intensity"),
  UVR_INTENSITY_NORMALIZED: number(
    "%",
    "intensity against its target, corrected for temperature and turbidity",
    [60, 105],
    "normalised",
  ),
  UVR_POWER_OUTPUT: mean(
    "% of rated",
    "active power delivered to the lamp array",
    [60, 95],
    "percent",
  ),
  UVR_POWER_SETPOINT: number("% of rated", "commanded power level", [60, 95], "percent"),
  UVR_WATER_TEMP: mean("degC", "water temperature at the reactor", [2, 36], "temperature"),
  UVR_LEVEL: text("UV level descriptor", "OPERATIONAL"),
  LDC_AIR_TEMP: number(
    "degC",
    "air temperature in the lamp drive cabinet",
    [25, 50],
    "temperature",
  ),
  LDC_FAN_SPEED: number("rpm", "cooling fan speed", [1300, 1600], "rpm"),
  LDC_FAN_STATUS: text("fan state", "RUNNING"),
  LDC_WATER_ALARM: flag("water ingress in the cabinet"),
  FLT_DIFF_PRESSURE: number(
    "bar",
    "differential pressure across the filter",
    [0.02, 0.8],
    "pressure",
  ),
  FLT_MOTOR_STATUS: text("NORMAL, BACKFLUSHING or STANDBY", "NORMAL"),
  FLT_BACKFLUSH_ACTIVE: flag("automatic backflush in progress"),
  FLT_BACKFLUSH_COUNT: {
    type: "integer",
    unit: null,
    about: "backflush cycles, cumulative",
    typical: [0, 5000],
    aggregate: null,
    span: SPANS.total,
  },
  SYS_FLOW_RATE: mean("m3/h", "ballast water flow", [0, 1000], "flow"),
  SYS_PRESSURE: mean("bar", "system pressure", [0, 6], "pressure"),
  SYS_VALVE_POSITION: number("%", "control valve opening, 0 closed", [0, 100], "valve"),
  SYS_TOTAL_BALLAST_VOL: number(
    "m3",
    "ballast volume treated, cumulative",
    [0, 10_000_000],
    "total",
  ),
  SYS_TOTAL_DEBALLAST_VOL: number(
    "m3",
    "deballast volume treated, cumulative",
    [0, 10_000_000],
    "total",
  ),
  SYS_EXTERNAL_FEED: flag("external water feed active"),
  CIP_HOURS_SINCE_LAST: number("h", "hours since the last cleaning in place", [0, 1200], "hours"),
  PLC_CPU_USAGE: number("%", "PLC processor load", [5, 60], "load"),
  PLC_RAM_USAGE: number("%", "PLC memory in use", [20, 70], "load"),
  PLC_CPU_TEMP: number("degC", "PLC processor temperature", [35, 70], "temperature"),
  PROCESS_STATE: text("controller state, RUNNING while treating", "RUNNING"),
  COMPLIANCE_MODE: text("IMO or USCG", "IMO"),
  WATER_QUALITY: text("water quality descriptor", "NORMAL"),
  WATER_QUALITY_FACTOR: number(
    "factor",
    "multiplier used to normalise intensity",
    [0.5, 1.05],
    "factor",
  ),
  AVG_LAMP_EFFICIENCY: mean(
    "%",
    "mean efficiency of the 16 lamps, derived when absent",
    [50, 100],
    "percent",
  ),
  FAILED_LAMP_COUNT: {
    type: "integer",
    unit: null,
    about: "lamps whose status is FAILED, derived when absent",
    typical: [0, LAMP_COUNT],
    aggregate: "max",
    span: SPANS.lamps,
  },
  DEGRADATION_IMPACT_PCT: number("%", "UV output lost to lamp ageing", [0, 30], "percent"),
  POWER_COMPENSATION_PCT: number(
    "%",
    "extra power spent to make up for ageing",
    [0, 30],
    "percent",
  ),
} as const satisfies Record<string, TagShape>;

const lamp = {
  STATUS: text("ACTIVE (OK is also sent), STANDBY or FAILED", "ACTIVE"),
  EFFICIENCY: mean("%", "output against a new lamp", [40, 102], "percent"),
  RUNTIME: {
    type: "number",
    unit: "h",
    about: "cumulative operating hours of the lamp now fitted; falls when the lamp is replaced",
    typical: [0, 4000],
    aggregate: "last",
    span: SPANS.lamp_hours,
  },
  POWER: mean("W", "power drawn", [0, 5000], "power_w"),
} as const satisfies Record<string, TagShape>;

/** The four fields that every lamp has: `STATUS`, `EFFICIENCY`, `RUNTIME`, `POWER`. */
export type LampField = keyof typeof lamp;
type Digit = "1" | "2" | "3" | "4" | "5" | "6";
/** A lamp's two-digit number, `01` to `16`. */
export type LampNumber = `0${Digit | "7" | "8" | "9"}` | "10" | `1${Digit}`;
export type SystemTagName = keyof typeof system;
type LampTagName = `LAMP_${LampNumber}_${LampField}`;
export type TagName = SystemTagName | LampTagName;

/** `LAMP_NUMBERS[i]` is the two-digit number of lamp i + 1. */
export const LAMP_NUMBERS: readonly string[] = Array.from({ length: LAMP_COUNT }, (_, index) =>
  String(index + 1).padStart(2, "0"),
);

/** The 101 fields in the order in which a reading prints them. */
export const TAGS: readonly Tag[] = [
  ...Object.entries(system).map(([name, tag]) => ({ name, ...tag })),
  ...LAMP_NUMBERS.flatMap((lampNumber) =>
    Object.entries(lamp).map(([field, tag]) => ({ name: `LAMP_${lampNumber}_${field}`, ...tag })),
  ),
];

const indexByName = new Map(TAGS.map((tag, index) => [tag.name, index]));

/** The index of a field in `TAGS`, or null for a name that the catalogue doesn't know. */
export function tagIndex(name: string): number | null {
  return indexByName.get(name) ?? null;
}

const indexByFoldedName = new Map(TAGS.map((tag, index) => [tag.name.toUpperCase(), index]));

/** As `tagIndex`, for a name in any case. */
export function tagIndexInAnyCase(name: string): number | null {
  return indexByFoldedName.get(name.toUpperCase()) ?? null;
}

/** As `tagIndex`, for a name that by its type is in the catalogue. */
export function indexOfTag(name: TagName): number {
  const index = indexByName.get(name);
  if (index === undefined) throw new Error(`tag ${name}: not in the catalogue`);
  return index;
}

export function tagNamed(name: TagName): Tag {
  return TAGS[indexOfTag(name)];
}

/** The index in `TAGS` of `field` of lamp `lampIndex` (0 to 15). */
export function indexOfLampTag(lampIndex: number, field: LampField): number {
  const index = indexByName.get(`LAMP_${LAMP_NUMBERS[lampIndex]}_${field}`);
  if (index === undefined) throw new Error(`lamp ${lampIndex + 1}: expected 1 to ${LAMP_COUNT}`);
  return index;
}

/** The indices in `TAGS` of `field` of all lamps. */
export const lampTags = (field: LampField): readonly number[] =>
  LAMP_NUMBERS.map((_, lampIndex) => indexOfLampTag(lampIndex, field));

const seedRowOrder: readonly TagName[] = [
  "UVR_INTENSITY",
  "UVR_POWER_OUTPUT",
  "UVR_WATER_TEMP",
  "SYS_FLOW_RATE",
  "SYS_PRESSURE",
  "AVG_LAMP_EFFICIENCY",
  "FAILED_LAMP_COUNT",
];

/**
 * The 55 fields that buckets sum up, as indices into `TAGS`, in the order of an aggregated row:
 * the system's seven, then efficiency, power and runtime of each lamp.
 */
export const AGGREGATED: readonly number[] = [
  ...seedRowOrder.map(indexOfTag),
  ...LAMP_NUMBERS.flatMap((_, lampIndex) => [
    indexOfLampTag(lampIndex, "EFFICIENCY"),
    indexOfLampTag(lampIndex, "POWER"),
    indexOfLampTag(lampIndex, "RUNTIME"),
  ]),
];

/** The aggregation of each of `AGGREGATED`. */
export const AGGREGATES: readonly Aggregate[] = AGGREGATED.map(
  (index) => TAGS[index].aggregate ?? "mean",
);

/**
 * The 50 fields of the runtime analysis beside `timestamp`, as indices into `TAGS`: intensity and
 * power of the reactor, then runtime, efficiency and power of each lamp.
 */
export const RUNTIME_ANALYSIS: readonly number[] = [
  indexOfTag("UVR_INTENSITY"),
  indexOfTag("UVR_POWER_OUTPUT"),
  ...LAMP_NUMBERS.flatMap((_, lampIndex) => [
    indexOfLampTag(lampIndex, "RUNTIME"),
    indexOfLampTag(lampIndex, "EFFICIENCY"),
    indexOfLampTag(lampIndex, "POWER"),
  ]),
];
