// Lamp tests of the built program: readings published or imported, and the forecasts made from the
// newest of them.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { Appliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import type { Fleet, PlcReading } from "./fleet.ts";
import { runProgram } from "./program.ts";

export interface AnsweredForecast {
  readonly timestamp: string;
  readonly component_id: string;
  readonly predictions: Readonly<Record<string, number | string | null>>;
  readonly current_state: Readonly<Record<string, number | string | null>>;
}

/** Publishes with QoS 1, a hundred readings a message. */
export async function publish(
  appliance: Appliance,
  readings: readonly PlcReading[],
): Promise<void> {
  const parts: (readonly PlcReading[])[] = [];
  for (let at = 0; at < readings.length; at += 100) parts.push(readings.slice(at, at + 100));
  await appliance.publish(
    parts.map((part) => ({ kind: "telemetry", payload: JSON.stringify(part) })),
  );
}

/** Imports what would take long to publish. */
export async function load(appliance: Appliance, readings: readonly PlcReading[]): Promise<void> {
  const file = path.join(appliance.program.folder, "fleet.ndjson");
  writeFileSync(file, readings.map((reading) => `${JSON.stringify(reading)}\n`).join(""));
  const { folder } = appliance.program;
  const { code, stdout } = await runProgram({ args: ["import", file], folder });
  expect({ code, stdout }).toMatchObject({ code: 0 });
}

/**
 * The newest forecast of each lamp, once it rests on the reading at `through` and on all before it.
 * A long message is stored in parts, between later ones: a forecast of that reading may be made
 * before, and is made anew.
 */
export async function forecasts(
  appliance: Appliance,
  through: unknown,
): Promise<ReadonlyMap<string, AnsweredForecast>> {
  let newest = new Map<string, AnsweredForecast>();
  await appliance.program.waitUntil(`a forecast of ${through}`, async () => {
    const all: readonly AnsweredForecast[] = await appliance.json("/api/predictions");
    newest = new Map(
      all.filter(({ timestamp }) => timestamp === through).map((one) => [one.component_id, one]),
    );
    return newest.size > 0 && areOfNow(newest, await appliance.json("/api/lamps"));
  });
  return newest;
}

/** True if the forecasts were made of the lamps as they are known now. */
function areOfNow(
  made: ReadonlyMap<string, AnsweredForecast>,
  { lamps }: { readonly lamps: readonly LampAnswered[] },
): boolean {
  return [...made].every(([component, { current_state }]) => {
    const present = lamps[Number(component.slice("LAMP_".length)) - 1].present;
    return (
      present?.hours === current_state.runtime_hours &&
      present.efficiency_percent === current_state.efficiency_percent
    );
  });
}

interface LampAnswered {
  readonly present: { readonly hours: number; readonly efficiency_percent: number | null } | null;
}

/** The readings of so many operations. */
export function voyage(fleet: Fleet, operations: number): readonly PlcReading[] {
  return Array.from({ length: operations }, () => fleet.operate()).flat();
}

export const timeOf = (readings: readonly PlcReading[]) => readings.at(-1)?.timestamp;

export const lampsOf = async (appliance: Appliance) => {
  const { bytes } = await askChecked(appliance, "GET", "/api/lamps");
  return JSON.parse(bytes.toString());
};
