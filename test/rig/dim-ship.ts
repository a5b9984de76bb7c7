// A ship whose UV intensity is known to the factor: that of new lamps at full power behind clean
// sleeves in clear water, times the lamps' mean output, the power, the water and what the sleeves
// let through. Operations of minutes, to be published.

import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import type { Appliance } from "../oracle/appliance.ts";
import type { PlcReading } from "./fleet.ts";
import { publish } from "./lamps-aboard.ts";

const FULL_W_M2 = 900;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface DimState {
  readonly location: string;
  /** Output of the lamps that burn, %. */
  readonly output: number;
  /** Numbers of the lamps that have failed. */
  readonly failed: readonly number[];
  readonly water: number;
  readonly power: number;
  /** The share of the light that the sleeves let through. */
  readonly sleeves: number;
  readonly since_cleaning_h: number;
  readonly minutes: number;
  /** Members more, or instead; undefined: not sent. */
  readonly members: Readonly<Record<string, string | number | undefined>>;
}

export const WELL: DimState = {
  ...{ location: "Port Hedland", output: 90, failed: [], water: 0.95, power: 80, sleeves: 1 },
  ...{ since_cleaning_h: 300, minutes: 40, members: {} },
};

/** The light that its sensor sees. */
export function lightOf({ output, failed, water, power, sleeves }: DimState): number {
  const burning = (16 - failed.length) / 16;
  return FULL_W_M2 * burning * (output / 100) * water * (power / 100) * sleeves;
}

/** The plant at rest for a minute, and an operation, a reading a minute. */
export function operation(end_ms: number, changes: Partial<DimState> = {}): readonly PlcReading[] {
  const state = { ...WELL, ...changes };
  const start_ms = end_ms - state.minutes * MINUTE_MS;
  const readings = Array.from({ length: state.minutes + 1 }, (_, minute) =>
    reading(start_ms + minute * MINUTE_MS, state, minute),
  );
  return [atRest(start_ms - MINUTE_MS), ...readings];
}

/** The minutes after an operation. */
export function rest(end_ms: number): readonly PlcReading[] {
  return [1, 2, 3, 4, 5].map((minute) => atRest(end_ms + minute * MINUTE_MS));
}

function atRest(at_ms: number): PlcReading {
  return {
    ...{ timestamp: new Date(at_ms).toISOString(), UVR_POWER_SETPOINT: 0 },
    ...{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0, UVR_POWER_OUTPUT: 0 },
  };
}

function reading(at_ms: number, state: DimState, minute: number): PlcReading {
  const { location, output, failed, water, power, since_cleaning_h, members } = state;
  const flutter = 1 + 0.002 * Math.sin(minute);
  const lamps = LAMP_NUMBERS.flatMap((number, index) => {
    const isOut = failed.includes(index + 1);
    return [
      [`LAMP_${number}_STATUS`, isOut ? "FAILED" : "ACTIVE"],
      [`LAMP_${number}_EFFICIENCY`, isOut ? undefined : output],
      [`LAMP_${number}_POWER`, isOut ? 0 : 47 * power],
      [`LAMP_${number}_RUNTIME`, 1200 + 10 * index],
    ] as const;
  });
  const all = {
    timestamp: new Date(at_ms).toISOString(),
    ...{ operation_type: "BALLAST", location, PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO" },
    UVR_INTENSITY: Math.round(10 * lightOf(state) * flutter) / 10,
    ...{ UVR_POWER_OUTPUT: power, UVR_POWER_SETPOINT: power, WATER_QUALITY_FACTOR: water },
    ...{ SYS_FLOW_RATE: 800 + (minute % 3), SYS_TOTAL_BALLAST_VOL: 100_000 + minute * 13.3 },
    CIP_HOURS_SINCE_LAST: since_cleaning_h + minute / 60,
    ...Object.fromEntries(lamps),
    ...members,
  };
  const sent = Object.entries<string | number | undefined>(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(sent);
}

/** Publishes them, and resolves when as many operations are judged as have ended. */
export async function publishDim(
  appliance: Appliance,
  readings: readonly PlcReading[],
  judged: number,
): Promise<void> {
  await publish(appliance, readings);
  await appliance.program.waitUntil(`${judged} judged operations`, async () => {
    const all: readonly { version: number }[] = await appliance.json("/api/operations");
    return all.filter(({ version }) => version > 0).length >= judged;
  });
}

/** A good operation of a week before `end_ms`, and one that ends then, with `changes`. */
export function weekApart(end_ms: number, changes: Partial<DimState>): readonly PlcReading[] {
  const before_ms = end_ms - 7 * 24 * HOUR_MS;
  const since_cleaning_h = WELL.since_cleaning_h + 7 * 24;
  return [
    ...operation(before_ms),
    ...rest(before_ms),
    ...operation(end_ms, { location: "Busan", since_cleaning_h, ...changes }),
  ];
}
