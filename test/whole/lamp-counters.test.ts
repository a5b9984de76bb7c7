// Hour counters that mislead, to the built program: in minutes, or with an efficiency that is
// worked out from them. What can't be forecast is said, aboard and in the answers.

import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openFleet } from "../rig/fleet.ts";
import {
  type AnsweredForecast,
  forecasts,
  lampsOf,
  load,
  publish,
  timeOf,
} from "../rig/lamps-aboard.ts";
import { printedRandom } from "../rig/random.ts";

// They mostly wait for jobs, so they wait together.
const test = single.concurrent;

test("counters in minutes are divided by 60, with a rule; lives outlast its mending", async () => {
  const random = printedRandom("lamp counters: minutes");
  await using appliance = await startAppliance();
  const alter = (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_RUNTIME$/.test(name)) reading[name] = Math.round(Number(reading[name]) * 60);
  };
  const mended = openFleet(random, () => 1000);
  await publish(appliance, mended.operate({ alter }));
  await appliance.program.waitForOutput(/counters run 60 times faster than the clock/);
  const rule = '[[map.rule]]\ntag = "LAMP_XX_RUNTIME"\nfield = "LAMP_XX_RUNTIME"\nfactor = "1/60"';
  expect(await lampsOf(appliance)).toMatchObject({
    suspended: null,
    counters: { divided_by: 60, text: expect.stringContaining(rule) },
  });
  await appliance.program.waitUntil("forecasts by minutes", async () => {
    const [newest] = await appliance.json("/api/predictions");
    return newest?.predictions.counter_divisor === 60;
  });
  const alarm = { code: "LAMP_COUNTERS_FAST", source: "ballastd", cleared_at: null, value: 60 };
  expect(await appliance.json("/api/alarms?state=active")).toMatchObject([alarm]);
  const { recentEvents } = await appliance.json("/api/stats");
  expect(recentEvents).toMatchObject([{ data: { code: "LAMP_COUNTERS_FAST" } }]);
  mended.lamps[2].failed = true;
  const failed = mended.operate({ alter });
  await publish(appliance, failed);
  await forecasts(appliance, timeOf(failed));
  const before = await lampFacts(appliance);
  expect(before.record).toMatchObject({ lamps_ended: { failed: 1 } });
  expect(before.record.forecasts_scored).toBeGreaterThan(0);
  expect(before.points.length).toBeGreaterThan(0);
  const then_h = mended.lamps.map(({ hours }) => hours);
  await expectShownHours(appliance, then_h);
  await publish(appliance, mended.operate());
  await appliance.program.waitUntil("forecasts", async () => {
    const [newest] = await appliance.json("/api/predictions");
    return newest?.predictions.counter_divisor === null;
  });
  const after = await lampFacts(appliance);
  expect(after.begun).toEqual(before.begun);
  expect(after.points.slice(0, before.points.length)).toEqual(before.points);
  expect(after.points.length).toBeGreaterThan(before.points.length);
  expect(after.record).toMatchObject({ lamps_ended: before.record.lamps_ended });
  expect(after.record.forecasts_scored).toBeGreaterThanOrEqual(before.record.forecasts_scored);
  const now_h = mended.lamps.map(({ hours }) => hours);
  for (const [index, hours] of after.hours.entries())
    expect(Math.abs(hours - now_h[index])).toBeLessThan(3);
  await expectShownHours(appliance, now_h);
  const { lamps } = await appliance.json(`/api/overview?at=${timeOf(failed)}`);
  expect(lamps[6].runtime_hours).toBeCloseTo(then_h[6], -0.5);
  await appliance.program.waitUntil("the end of the alarm", async () => {
    const { length } = await appliance.json("/api/alarms?state=active");
    return length === 0;
  });
});

test("counters that change their pace are told anew, with the rule of now", async () => {
  const random = printedRandom("lamp counters: paces");
  await using appliance = await startAppliance();
  const fleet = openFleet(random, () => 1000);
  const sail = async (pace: number) => {
    const alter = (reading: Record<string, string | number>) => {
      for (const name of Object.keys(reading))
        if (/_RUNTIME$/.test(name)) reading[name] = Math.round(Number(reading[name]) * pace);
    };
    await publish(appliance, fleet.operate({ alter }));
  };
  const told = (value: number | null) =>
    appliance.program.waitUntil(`the alarm of / ${value}`, async () => {
      const [alarm] = await appliance.json("/api/alarms?state=active");
      return alarm?.code === "LAMP_COUNTERS_FAST" && alarm.value === value;
    });
  await sail(7);
  await told(null);
  expect(await appliance.json("/api/overview")).toMatchObject({ forecasts_suspended: true });
  await sail(60);
  await told(60);
  expect(await appliance.json("/api/overview")).toMatchObject({ forecasts_suspended: false });
  await sail(3600);
  await told(3600);
  const [{ description, count }] = await appliance.json("/api/alarms?state=active");
  expect(description).toContain('factor = "1/3600"');
  expect(count).toBe(3);
});

test("forecasts stay suspended behind any number of newer alarms", async () => {
  const random = printedRandom("lamp counters: many alarms");
  await using appliance = await startAppliance();
  const fleet = openFleet(random, () => 1000);
  const alter = (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_RUNTIME$/.test(name)) reading[name] = Math.round(Number(reading[name]) * 7);
  };
  await publish(appliance, fleet.operate({ alter }));
  const isSuspended = { forecasts_suspended: true };
  await appliance.program.waitUntil("the suspension", async () => {
    return (await appliance.json("/api/overview")).forecasts_suspended;
  });
  const { lamps: before } = await appliance.json("/api/overview");
  const alarms = Array.from({ length: 60 }, (_, index) => {
    const data = { code: `PLC_${index}` };
    const timestamp = new Date(Date.now() - 60_000 + index * 1_000).toISOString();
    return { timestamp, event_type: "ALARM_TRIGGERED", description: data.code, data };
  });
  // One with ballastd's own code suspends nothing, nor does it end the suspension.
  const namesake = { code: "LAMP_COUNTERS_FAST", value: 60 };
  alarms.push({ ...alarms[59], data: namesake });
  await appliance.publish([{ kind: "events", payload: JSON.stringify(alarms) }]);
  const after = await appliance.json("/api/overview");
  expect(after).toMatchObject({ ...isSuspended, alerts_open: 62 });
  expect(after.alerts).toHaveLength(50);
  expect(after.lamps).toEqual(before);
  const now = new Date().toISOString();
  expect(await appliance.json(`/api/overview?at=${now}`)).toMatchObject(isSuspended);
  const metrics = await appliance.get("/metrics");
  expect(metrics.text).not.toContain("ballastd_lamp_runtime_seconds{");
});

test("an efficiency that the PLC works out from run-hours is recognised, and said", async () => {
  const random = printedRandom("lamp counters: run-hours");
  await using appliance = await startAppliance();
  const fleet = openFleet(random, (lamp) => 90 * lamp);
  const alter = (reading: Record<string, string | number>) => {
    for (const [name, value] of Object.entries(reading))
      if (/_RUNTIME$/.test(name))
        reading[name.replace("RUNTIME", "EFFICIENCY")] =
          Math.round((100 - Number(value) / 100) * 10) / 10;
  };
  const readings = Array.from({ length: 36 }, () => fleet.operate({ alter })).flat();
  await load(appliance, readings);
  const known = await forecasts(appliance, timeOf(readings));
  expect(known.size).toBe(16);
  for (const { predictions } of known.values()) {
    expect(predictions.basis).toBe("counter_derived");
    // The formula says 3,000 h to the hour; nobody knows that of a lamp.
    const { remaining_useful_life_hours_p05: p05, remaining_useful_life_hours_p95: p95 } =
      predictions;
    expect(Number(p95) - Number(p05)).toBeGreaterThan(1_500);
  }
});

/** All that must outlast a mended map: the lives, lamp 7's light, the track record. */
async function lampFacts(appliance: Appliance) {
  const { lamps } = await lampsOf(appliance);
  const lives = lamps.map(({ present, past }: { present: Life; past: Life[] }) => ({
    present,
    all: [present, ...past],
  }));
  const curve = await appliance.json("/api/lamps/07/curve");
  return {
    begun: lives.map(({ all }: { all: Life[] }) => all.map(({ began }) => began)),
    hours: lives.map(({ present }: { present: Life }) => present.hours),
    points: curve.lives[0].points,
    record: await appliance.json("/api/predictions/track-record"),
  };
}

/** Expects that whatever shows hours of lamps shows these; lamp 3 has failed. */
async function expectShownHours(appliance: Appliance, hours: readonly number[]) {
  const { lamps } = await lampsOf(appliance);
  const overview = await appliance.json("/api/overview");
  const { findings } = await appliance.json("/api/diagnosis");
  const { text } = await appliance.get("/metrics");
  const [, seconds] = /^ballastd_lamp_runtime_seconds\{lamp="07"\} (.*)$/m.exec(text) ?? [];
  const [, failed] = /^lamp 3: failed, (\d+) h$/.exec(findings[0].text) ?? [];
  const shown = [overview.lamps[6].runtime_hours, Number(seconds) / 3_600, lamps[6].present.hours];
  for (const value of shown) expect(value).toBeCloseTo(hours[6], -0.5);
  expect(findings).toHaveLength(1);
  expect(Number(failed)).toBeCloseTo(hours[2], -0.5);
  const predictions: readonly AnsweredForecast[] = await appliance.json("/api/predictions");
  for (const { component_id, current_state } of predictions.slice(0, 16)) {
    const { present } = lamps[Number(component_id.slice(-2)) - 1];
    expect(current_state).toMatchObject({
      ...{ runtime_hours: present.hours, efficiency_percent: present.efficiency_percent },
    });
  }
}

interface Life {
  readonly began: string;
  readonly hours: number;
}
