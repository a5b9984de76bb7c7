// Lamps of which no light is told while water is treated, in every answer of the built program: a
// lamp whose present output isn't known is called good nowhere, and one that rests is no fault.

import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openFleet, type PlcReading, recentStart } from "../rig/fleet.ts";
import { type AnsweredForecast, forecasts, load, timeOf, voyage } from "../rig/lamps-aboard.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";

/** Members of the reading of a lamp that shows no light; null: none is sent. */
const LIGHTLESS = new Map<number, Readonly<Record<string, string | number | null>>>([
  [3, { EFFICIENCY: 0 }],
  [4, { EFFICIENCY: null, STATUS: null, RUNTIME: null, POWER: null }],
  [5, { EFFICIENCY: -5 }],
  [6, { EFFICIENCY: 32_767 }],
  [7, { EFFICIENCY: 0, POWER: 0, STATUS: "OFF" }],
  [8, { EFFICIENCY: null }],
]);

const FAILED = 9;

function darken(reading: Record<string, string | number>): void {
  for (const [lamp, members] of LIGHTLESS)
    for (const [field, value] of Object.entries(members)) {
      const name = `LAMP_${String(lamp).padStart(2, "0")}_${field}`;
      if (value === null) delete reading[name];
      else reading[name] = value;
    }
  reading[`LAMP_0${FAILED}_STATUS`] = "FAILED";
}

/** The plant as it stands after an operation: no water, all lamps off. */
function atRest(reading: PlcReading): PlcReading {
  const rest: Record<string, string | number> = {
    ...reading,
    timestamp: new Date(Date.parse(String(reading.timestamp)) + 60_000).toISOString(),
    ...{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 },
  };
  for (const name of Object.keys(rest)) {
    if (/^LAMP_\d\d_(EFFICIENCY|POWER)$/.test(name)) rest[name] = 0;
    if (/^LAMP_\d\d_STATUS$/.test(name) && rest[name] !== "FAILED") rest[name] = "OFF";
  }
  return rest;
}

/** The words of each answer about a lamp, 1 to 16. */
async function saidOf(appliance: Appliance, made: ReadonlyMap<string, AnsweredForecast>) {
  const [overview, plan, lives] = await Promise.all(
    ["overview", "lamps/plan", "lamps"].map((name) => appliance.json(`/api/${name}`)),
  );
  const metrics = await (await fetch(`${appliance.url}/metrics`)).text();
  const { folder } = appliance.program;
  const { stdout: list } = await runProgram({ args: ["lamp", "list"], folder });
  const of = (lamp: number) => {
    const digits = String(lamp).padStart(2, "0");
    const state = made.get(`LAMP_${digits}`)?.current_state;
    const { condition, no_light_since } = overview.lamps[lamp - 1];
    const { planned, output_percent } = plan.lamps[lamp - 1];
    const present = lives.lamps[lamp - 1].present;
    const metric = new RegExp(`lamp_condition\\{[^}]*lamp="0?${lamp}"[^}]*\\} 1`);
    const line = metrics.split("\n").find((each) => metric.test(each)) ?? "";
    const listed = list.split("\n").find((each) => each.startsWith(digits)) ?? "";
    return {
      ...{ condition, planned, output_percent, status: state?.status },
      forecast: state?.condition,
      metric: /condition="(\w+)"/.exec(line)?.[1],
      list: /works|failed|no light since/.exec(listed)?.[0],
      since: [no_light_since, plan.lamps[lamp - 1].no_light_since, present.no_light_since],
    };
  };
  return { of, plan, to_do: overview.to_do };
}

const DARK = {
  ...{ condition: "unknown", planned: "unknown", output_percent: null, status: "UNKNOWN" },
  ...{ forecast: "unknown", metric: "unknown", list: "no light since" },
};
const GOOD = {
  ...{ condition: "good", planned: "later", status: "OPERATIONAL", forecast: "good" },
  ...{ metric: "good", list: "works", since: [null, null, null] },
};

test("a lamp that shows no light for an hour of treatment is good in no answer", async () => {
  await using appliance = await startAppliance({});
  const fleet = openFleet(printedRandom("lightless lamps"), () => 900, recentStart(14));
  const before = voyage(fleet, 12);
  const dark = fleet.operate({ hours: 6, alter: darken });
  await load(appliance, [...before, ...dark]);
  const treating = await saidOf(appliance, await forecasts(appliance, timeOf(dark)));
  for (const lamp of LIGHTLESS.keys()) {
    const since = new Array(3).fill(timeOf(before));
    expect({ lamp, ...treating.of(lamp) }).toMatchObject({ lamp, ...DARK, since });
  }
  expect(treating.of(FAILED)).toMatchObject({ condition: "failed", planned: "now" });
  expect(treating.of(10)).toMatchObject(GOOD);
  expect(treating.plan.no_forecast).toEqual([...LIGHTLESS.keys()]);
  expect(treating.to_do).toContain("lamps_unknown");
  // At rest nothing is forgotten, and what was dark is still unknown.
  const rest = [atRest(dark.at(-1) ?? {})];
  await load(appliance, rest);
  await appliance.program.waitUntil("the plant at rest", async () => {
    const { lamps } = await appliance.json("/api/overview");
    return lamps[9].state === "standby";
  });
  const resting = await saidOf(appliance, await forecasts(appliance, timeOf(dark)));
  expect(resting.of(3)).toMatchObject(DARK);
  expect(resting.of(10)).toMatchObject(GOOD);
  // Light that comes back is known at once.
  const again = fleet.operate({ hours: 6 });
  await load(appliance, again);
  const lit = await saidOf(appliance, await forecasts(appliance, timeOf(again)));
  for (const lamp of LIGHTLESS.keys())
    expect({ lamp, ...lit.of(lamp) }).toMatchObject({ lamp, ...GOOD });
  expect(lit.to_do).not.toContain("lamps_unknown");
});
