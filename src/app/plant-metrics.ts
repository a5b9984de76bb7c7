// The plant in /metrics: its newest values in base units, its limits, health and alarms. An unknown
// value has no sample, never 0 or NaN. Measured values have none while no data arrives: a flat line
// would look like a running plant. Values that stay true without data remain: hours and output of
// lamps, health, alarms, limits.

import { Gauge, type Registry } from "@prometheus-io/client";
import { dataState } from "../bwts/idle-plant.ts";
import { ALERTS } from "../bwts/present/alert.ts";
import { PRIORITIES } from "../bwts/present/priority.ts";
import { asNumber, type Value } from "../bwts/reading.ts";
import { LAMP_NUMBERS, type TagName } from "../bwts/tags.ts";
import { HOUR_MS, SECOND_MS } from "../ground/clock.ts";
import type { AlarmsNow, AlertNow, PlantNow } from "../sqlite/answers/plant-now.ts";
import type { OpenedParts } from "./parts.ts";

const PREFIX = "ballastd_";
const SECONDS_AN_HOUR = HOUR_MS / SECOND_MS;
const PASCALS_A_BAR = 100_000;

export type PlantParts = Pick<OpenedParts, "config" | "readers" | "writer">;

/** The plant as of the last refresh; null before, or if it can't be read. */
export interface PlantMetrics {
  refresh(): Promise<void>;
}

export interface PlantFigures {
  readonly plant: PlantNow | null;
  readonly alarms: AlarmsNow;
}

/**
 * Measured fields, each with its metric in base units, the metric's help, and the factor from the
 * field's unit to the base unit.
 */
const MEASURED: readonly (readonly [TagName, name: string, help: string, factor: number])[] = [
  ["UVR_INTENSITY", "uv_intensity_watts_per_square_meter", "UV intensity, raw sensor.", 1],
  ["UVR_POWER_OUTPUT", "uv_power_output_ratio", "Power of the lamps, of the rated.", 0.01],
  ["UVR_WATER_TEMP", "water_temperature_celsius", "Water at the reactor.", 1],
  ["LDC_AIR_TEMP", "cabinet_temperature_celsius", "Air in the lamp drive cabinet.", 1],
  ["SYS_FLOW_RATE", "flow_cubic_meters_per_second", "Water flow.", 1 / SECONDS_AN_HOUR],
  ["SYS_PRESSURE", "system_pressure_pascals", "Pressure of the system.", PASCALS_A_BAR],
  ["FLT_DIFF_PRESSURE", "filter_differential_pressure_pascals", "Over the filter.", PASCALS_A_BAR],
];

export function addPlant(register: Registry, parts: PlantParts): PlantMetrics {
  let answer: PlantFigures | null = null;
  const gauge = (
    name: string,
    help: string,
    labels: readonly string[],
    samples: () => Iterable<readonly [Readonly<Record<string, string>>, number | null]>,
  ) =>
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames: [...labels],
      registers: [register],
      collect() {
        // `reset` would set a gauge without labels to 0.
        if (labels.length === 0) this.remove();
        else this.reset();
        for (const [given, value] of samples()) if (value !== null) this.set(given, value);
      },
    });
  const single = (name: string, help: string, value: () => number | null) =>
    gauge(name, help, [], () => [[{}, value()]]);
  const live = () => (answer?.plant && isLive(answer.plant, parts) ? answer.plant : null);

  for (const [field, name, help, factor] of MEASURED)
    single(name, help, () => scaled(measuredIn(live(), field), factor));
  single("treating", "1 while water is treated, by the newest readings.", () => {
    const plant = live();
    return plant === null || plant.isTreating === null ? null : Number(plant.isTreating);
  });
  single("failed_lamps", "Lamps whose status is FAILED; no 0 while one isn't known.", () =>
    numberIn(answer?.plant ?? null, "FAILED_LAMP_COUNT"),
  );
  single(
    "last_reading_age_seconds",
    "Age of the newest reading with state, flow or UV, by the PLC's clock as far as it is known.",
    () => (answer?.plant ? ageOf(answer.plant, parts) / SECOND_MS : null),
  );
  const lamp = (name: string, help: string, value: (index: number) => number | null) =>
    gauge(name, help, ["lamp"], () =>
      LAMP_NUMBERS.map((number, index) => [{ lamp: number }, value(index)] as const),
    );
  lamp("lamp_runtime_seconds", "Operating time of the lamp fitted.", (index) =>
    scaled(answer?.plant?.lamp_hours[index], SECONDS_AN_HOUR),
  );
  lamp("lamp_efficiency_ratio", "Light of the lamp against a new one.", (index) =>
    scaled(answer?.plant?.values[`LAMP_${LAMP_NUMBERS[index]}_EFFICIENCY`], 0.01),
  );
  gauge("lamp_condition", "1 for the condition that the lamp is in.", ["lamp", "condition"], () =>
    LAMP_NUMBERS.flatMap((number, index) => {
      const condition = answer?.plant?.lamp_conditions[index];
      return condition === undefined ? [] : [[{ lamp: number, condition }, 1] as const];
    }),
  );
  gauge("health_score_ratio", "Health of the newest scored slot, 0 to 1.", ["component"], () =>
    Object.entries(answer?.plant?.health ?? {}).map(
      ([component, score]) => [{ component }, scaled(score, 0.01)] as const,
    ),
  );
  addLimits(gauge, parts);
  addAlarms(gauge, () => answer?.alarms ?? null);
  return {
    async refresh() {
      answer = await askPlant(parts).catch(() => null);
    },
  };
}

type Sample = readonly [Readonly<Record<string, string>>, number];
type AddGauge = (
  name: string,
  help: string,
  labels: readonly string[],
  samples: () => Iterable<Sample>,
) => unknown;

function addAlarms(gauge: AddGauge, alarms: () => AlarmsNow | null): void {
  const listed = (samples: (now: AlarmsNow) => Iterable<Sample>): Iterable<Sample> => {
    const now = alarms();
    return now === null ? [] : samples(now);
  };
  gauge("alarms_active", "ballastd's own alarms that are active.", ["code"], () =>
    listed(({ own }) => counted(own, Object.keys(ALERTS))),
  );
  gauge(
    "alerts_open",
    "Alerts that aren't closed, by priority and whether somebody has acknowledged them.",
    ["priority", "acknowledged"],
    () => listed(({ open }) => openByPriority(open)),
  );
  gauge(
    "plc_alarms_last_day",
    "Alarms of the treatment system in the day up to its newest reading; their end isn't known.",
    ["code"],
    () => listed(({ plc }) => counted(bounded(plc), [])),
  );
}

function addLimits(gauge: AddGauge, { config: { limits } }: PlantParts): void {
  const known = (values: Readonly<Record<string, number>>, factor: number) => () =>
    Object.entries(values).map(([limit, value]) => [{ limit }, value * factor] as const);
  const { uv_imo, uv_uscg, flow_max_imo, flow_max_uscg, dp_warn, dp_alarm } = limits;
  const help = "As configured under limits.";
  const uv = known({ uv_imo, uv_uscg }, 1);
  gauge("uv_intensity_limit_watts_per_square_meter", help, ["limit"], uv);
  const flow = known({ flow_max_imo, flow_max_uscg }, 1 / SECONDS_AN_HOUR);
  gauge("flow_limit_cubic_meters_per_second", help, ["limit"], flow);
  const filter = known({ dp_warn, dp_alarm }, PASCALS_A_BAR);
  gauge("filter_differential_pressure_limit_pascals", help, ["limit"], filter);
}

/** The plant and its alerts, from a reader; null while the database is being opened. */
export async function askPlant({ readers }: PlantParts): Promise<PlantFigures | null> {
  if (readers === null) return null;
  const { chunks } = await readers.ask({ name: "plant" });
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks ?? []) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString());
}

/**
 * Age of the newest reading in ms, with the difference between the PLC's clock and the box's
 * removed.
 */
export function ageOf({ at_ms }: PlantNow, { writer }: PlantParts): number {
  return Date.now() - (at_ms - (writer?.readingOffset_ms() ?? 0));
}

/**
 * False while no data arrives or all messages are quarantined: the measured values aren't current
 * then.
 */
export function isLive(plant: PlantNow, parts: PlantParts): boolean {
  const { silence_ms } = plant;
  if (parts.writer?.totals().aside?.areAll === true) return false;
  return dataState({ reading_ms: ageOf(plant, parts), received_ms: null, silence_ms }) === "fresh";
}

/**
 * The field's number; null if the newest readings don't have it, since an older value isn't
 * current.
 */
export function measuredIn(plant: PlantNow | null, name: TagName): number | null {
  return plant?.fresh.includes(name) ? numberIn(plant, name) : null;
}

export function numberIn(plant: PlantNow | null, name: TagName): number | null {
  return asNumber(plant?.values[name]);
}

function scaled(value: Value | undefined, factor: number): number | null {
  // 15 significant digits, so that 0.07 x 100 is 7.
  return typeof value === "number" ? Number((value * factor).toPrecision(15)) : null;
}

function* counted(codes: readonly string[], known: readonly string[]) {
  for (const code of new Set([...known, ...codes]))
    yield [{ code }, codes.filter((one) => one === code).length] as const;
}

function* openByPriority(open: readonly AlertNow[]) {
  for (const priority of PRIORITIES)
    for (const isAcknowledged of [false, true]) {
      const all = open.filter(
        (one) =>
          one.priority === priority && (one.alert_state === "acknowledged") === isAcknowledged,
      );
      yield [{ priority, acknowledged: isAcknowledged ? "yes" : "no" }, all.length] as const;
    }
}

/**
 * Maximum number of different codes as labels; further ones count under "other". A PLC may send any
 * text.
 */
const CODES_MAX = 20;

function bounded(codes: readonly (string | null)[]): readonly string[] {
  const known = new Set(codes.filter((code) => code !== null).slice(0, CODES_MAX));
  return codes.map((code) => (code === null ? "none" : known.has(code) ? code : "other"));
}
