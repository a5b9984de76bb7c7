// The stories that the simulator tells, published to the built program over MQTT: what is wrong is
// named, with its share and its evidence, and nothing else is.

import { expect, test } from "vitest";
import { createStory, type StoryLetter } from "../../src/simulator/story.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import { LONG } from "../rig/scale.ts";

interface Diagnosed {
  readonly causes: readonly {
    cause: string;
    share: number;
    share_of_fall: number | null;
    evidence: string;
  }[];
  readonly findings: readonly { code: string; text: string }[];
  readonly intensity: { change_percent: number } | null;
  readonly message: string;
}

async function diagnosed(letter: StoryLetter): Promise<Diagnosed> {
  await using appliance = await startAppliance();
  const end_ms = Date.UTC(2026, 4, 1, 12);
  const story = createStory({ letter, seed: 7, system_id: "BWTS-001", end_ms });
  const stretch = { from_ms: story.start_ms, to_ms: end_ms, cadence_ms: 60_000 };
  const readings = [...story.readings(stretch)].map(({ members }) => members);
  for (let at = 0; at < readings.length; at += 100)
    await appliance.publish([
      { kind: "telemetry", payload: JSON.stringify(readings.slice(at, at + 100)) },
    ]);
  return await diagnosis(appliance);
}

async function diagnosis(appliance: Appliance): Promise<Diagnosed> {
  const { status, bytes } = await askChecked(appliance, "GET", "/api/diagnosis");
  expect(status).toBe(200);
  return JSON.parse(bytes.toString());
}

const causesOf = ({ causes }: Diagnosed) => causes.map(({ cause }) => cause);
const codesOf = ({ findings }: Diagnosed) => findings.map(({ code }) => code);

test("A: a fall with an old lamp and sleeves not cleaned for weeks has both causes", async () => {
  const told = await diagnosed("A");
  expect(causesOf(told)).toEqual(expect.arrayContaining(["sleeve_fouling", "lamp_ageing"]));
  expect(codesOf(told)).toEqual(expect.arrayContaining(["CLEANING_OVERDUE", "LAMP_PAST_LIFE"]));
  expect(told.findings.find(({ code }) => code === "LAMP_PAST_LIFE")?.text).toContain("lamp 7");
  expect(told.intensity?.change_percent).toBeLessThan(-15);
  expect(causesOf(told)).not.toContain("power_supply");
  // In three hours no lamp has aged: it is a cause of the light's being low, not of its fall.
  const ageing = told.causes.find(({ cause }) => cause === "lamp_ageing");
  expect(ageing).toMatchObject({ share_of_fall: 0, evidence: expect.stringContaining("as much") });
  expect(ageing?.share).toBeGreaterThan(0.2);
  expect(told.causes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 1);
});

test("B: a filter that clogs is named", LONG, async () => {
  const told = await diagnosed("B");
  expect(codesOf(told)).toContain("FILTER_CLOGGING");
  expect(causesOf(told)).not.toContain("power_supply");
});

test("C: a power supply that fails is a cause, with the lamps that it feeds", async () => {
  const told = await diagnosed("C");
  const [supply] = told.causes;
  expect(supply).toMatchObject({ cause: "power_supply", share_of_fall: expect.closeTo(1, 0.5) });
  expect(supply?.evidence).toContain("lamps 9 to 12");
  expect(codesOf(told)).toContain("SUPPLY_GROUP_WEAK");
  expect(causesOf(told)).not.toContain("sensor_drift");
});

test("D: a cleaning without recovery rules the sleeves out", LONG, async () => {
  const told = await diagnosed("D");
  expect(codesOf(told)).toContain("CLEANING_WITHOUT_RECOVERY");
  expect(causesOf(told)).not.toContain("sleeve_fouling");
  const drift = told.causes.find(({ cause }) => cause === "sensor_drift");
  expect(drift?.share).toBeGreaterThan(0.2);
});

test("a ship of which nothing is known has no diagnosis, one that is well no causes", async () => {
  await using appliance = await startAppliance();
  expect(await diagnosis(appliance)).toMatchObject({ causes: [], intensity: null });
  const readings = Array.from({ length: 60 }, (_, minute) => ({
    timestamp: Date.UTC(2026, 4, 1) + minute * 60_000,
    PROCESS_STATE: "RUNNING",
    UVR_INTENSITY: 700 + (minute % 3),
    LAMP_01_EFFICIENCY: 99,
  }));
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(readings) }]);
  expect(await diagnosis(appliance)).toMatchObject({ causes: [], findings: [] });
});
