// Lamp lives and forecasts of the built program, for ships whose lamps are known: published over
// MQTT or imported, asked over HTTP, in pieces, late, and across a restart.

import { afterAll, beforeAll, expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import { BY_COMMAND } from "../rig/command-user.ts";
import { newLamp, openFleet } from "../rig/fleet.ts";
import { forecasts, lampsOf, load, publish, timeOf, voyage } from "../rig/lamps-aboard.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { sized } from "../rig/scale.ts";

// They mostly wait for jobs, so they wait together.
const test = single.concurrent;

const TOKEN = "engineers-own-token";
const env = { BALLASTD_AUTH_TOKEN: TOKEN };

async function tell(appliance: Appliance, lamp: string, body: unknown) {
  const answer = await fetch(`${appliance.url}/admin/lamps/${lamp}/replacement`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

test("a first day rests on the rated life, and a year gives figures that agree", async () => {
  const random = printedRandom("lamps: a year");
  await using appliance = await startAppliance({ env });
  // None wears out: a forecast made in the middle of it would be scored.
  const fleet = openFleet(random, (lamp) => 40 * lamp);
  const day = voyage(fleet, 1);
  await publish(appliance, day);
  const first = await forecasts(appliance, timeOf(day));
  expect(first.size).toBe(16);
  for (const { predictions } of first.values())
    expect(predictions).toMatchObject({ basis: "rated_life_prior", expected_end: null });
  const operations = sized(12, 36);
  const readings = voyage(fleet, operations - 1);
  await publish(appliance, readings);
  const known = await forecasts(appliance, timeOf(readings));
  expect(known.size).toBe(16);
  for (const [index, lamp] of fleet.lamps.entries()) {
    const one = known.get(`LAMP_${String(index + 1).padStart(2, "0")}`);
    const { predictions = {}, current_state = {} } = one ?? {};
    const number = (name: string) => Number(predictions[name]);
    const rul = number("remaining_useful_life_hours");
    expect(current_state).toMatchObject({ runtime_hours: expect.closeTo(lamp.hours, -0.7) });
    expect(number("remaining_useful_life_hours_p05")).toBeLessThanOrEqual(rul);
    expect(number("remaining_useful_life_hours_p95")).toBeGreaterThanOrEqual(rul);
    expect(number("failure_probability") >= 0.5).toBe(rul <= number("horizon_hours"));
    expect(["fit", "rated_life_prior"]).toContain(predictions.basis);
    expect(predictions).toMatchObject({ horizon_hours: 500, data_through: timeOf(readings) });
    expect(number("remaining_operations")).toBeCloseTo(rul / (24 + 1 / 6), 0);
    expect(Math.abs(number("remaining_days") - (rul / 24) * 10)).toBeLessThan(2 + rul / 20);
    expect(String(predictions.end_date_p05) <= String(predictions.end_date_p95)).toBe(true);
  }
  expect((await appliance.json("/api/predictions")).length).toBeGreaterThan(0);
  const curve = await askChecked(appliance, "GET", "/api/lamps/03/curve");
  const { lives, lamp } = JSON.parse(curve.bytes.toString());
  // Each point names the readings that it is the median of: after `from`, up to `to`.
  const [{ began, points }] = lives;
  expect(points[0].from).toBe(began);
  for (const [index, point] of points.slice(1).entries()) expect(point.from).toBe(points[index].to);
  const { to } = points.at(-1);
  const stored = await askChecked(appliance, "GET", `/api/evidence?timestamp=${to}`);
  expect(JSON.parse(stored.bytes.toString()).readings).toHaveLength(1);
  const state = known.get("LAMP_03")?.current_state;
  expect({ lamp, lives: lives.length, hours: lives[0].hours }).toEqual({
    ...{ lamp: 3, lives: 1, hours: state?.runtime_hours },
  });
  const hours: number[] = lives[0].points.map((point: { hours: number }) => point.hours);
  expect(hours.length).toBeGreaterThan(0.8 * operations);
  expect(hours.toSorted((one, other) => one - other)).toEqual(hours);
  expect(lives[0].points.at(-1).efficiency_percent).toBe(state?.efficiency_percent);
  expect((await askChecked(appliance, "GET", "/api/lamps/17/curve")).status).toBe(404);
  const record = await askChecked(appliance, "GET", "/api/predictions/track-record");
  expect(JSON.parse(record.bytes.toString())).toMatchObject({
    ...{ forecasts_scored: 0, coverage: null, message: expect.stringContaining("no track record") },
  });
});

test("failures, replacements and swaps show in lives, forecasts and track record", async () => {
  const random = printedRandom("lamps: failures");
  await using appliance = await startAppliance({ env });
  const fleet = openFleet(random, (lamp) => 1000 + 100 * lamp);
  await load(appliance, voyage(fleet, 8));
  const all = voyage(fleet, 4);
  await load(appliance, all);
  await forecasts(appliance, timeOf(all));
  fleet.lamps[2].failed = true;
  fleet.lamps[4] = newLamp(random);
  [fleet.lamps[6], fleet.lamps[15]] = [fleet.lamps[15], fleet.lamps[6]];
  const more = voyage(fleet, 2);
  await publish(appliance, more);
  const known = await forecasts(appliance, timeOf(more));
  expect(known.get("LAMP_03")).toMatchObject({
    predictions: {
      remaining_useful_life_hours: 0,
      failure_probability: 1,
      basis: "failed",
    },
    current_state: { status: "FAILED" },
  });
  const { lamps } = await lampsOf(appliance);
  expect(lamps[4]).toMatchObject({
    present: { began_by: "counter_fell" },
    past: [{ outcome: "replaced" }],
  });
  expect(lamps[6].present.notes).toMatchObject([{ code: "swapped" }]);
  const record = await appliance.json("/api/predictions/track-record");
  expect(record).toMatchObject({ lamps_ended: { failed: 1, replaced: 1 } });
  expect(record.forecasts_scored).toBeGreaterThan(0);
});

test("the diagnosis calls no lamp past its life that its forecast doesn't", async () => {
  const random = printedRandom("lamps: past life");
  await using appliance = await startAppliance({ env });
  // Older than rated, with light for another 1,500 h; lamp 2 is worn, lamp 3 fails.
  const fleet = openFleet(random, () => 3_300);
  for (const lamp of fleet.lamps) Object.assign(lamp, { worn_h: 5_000, bend: 1 });
  Object.assign(fleet.lamps[1], { worn_h: 2_500 });
  await load(appliance, voyage(fleet, 10));
  fleet.lamps[2].failed = true;
  // Dirt on all sleeves: every lamp looks dimmer than the end of life.
  const alter = (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_EFFICIENCY$/.test(name)) reading[name] = Math.round(Number(reading[name]) * 8) / 10;
  };
  const dimmed = fleet.operate({ alter });
  await publish(appliance, dimmed);
  const known = await forecasts(appliance, timeOf(dimmed));
  const ended = [...known].filter(([, { predictions }]) => predictions.expected_end !== null);
  expect(ended.map(([lamp]) => lamp).sort()).toEqual(["LAMP_02", "LAMP_03"]);
  const { findings } = await appliance.json("/api/diagnosis");
  const past: { code: string; text: string }[] = findings.filter(
    ({ code }: { code: string }) => code === "LAMP_PAST_LIFE",
  );
  expect(past.map(({ text }) => text.split(",")[0])).toEqual([
    `lamp 2: ${known.get("LAMP_02")?.current_state.efficiency_percent} %`,
    "lamp 3: failed",
  ]);
});

/** The ship whose engineer tells of lamps 3 and 9. */
let appliance: Appliance;
beforeAll(async () => {
  appliance = await startAppliance({ env });
});
afterAll(() => appliance[Symbol.asyncDispose]());

test("the engineer's word changes lives and forecasts, and is in the audit log", async () => {
  const random = printedRandom("lamps: the word");
  const fleet = openFleet(random, () => 300);
  const readings = voyage(fleet, 6);
  await load(appliance, readings);
  await forecasts(appliance, timeOf(readings));
  const at = String(readings[readings.length >> 1].timestamp);
  const said = await tell(appliance, "09", { at, hours: 5, serial: "A-17" });
  expect(said).toEqual({
    status: 200,
    body: { lamp: 9, at, replaced: true, hours: 5, serial: "A-17", note: null },
  });
  await appliance.program.waitUntil("the word's forecast", async () => {
    const known = await forecasts(appliance, timeOf(readings));
    return Number(known.get("LAMP_09")?.current_state.runtime_hours) < 100;
  });
  const { lamps } = await lampsOf(appliance);
  expect(lamps[8]).toMatchObject({
    present: { began: at, began_by: "confirmed", serial: "A-17" },
    past: [{ outcome: "replaced" }],
  });
  const overview = await appliance.json("/api/overview");
  expect(overview.lamps[8].runtime_hours).toBeCloseTo(lamps[8].present.hours, 0);
  const { folder } = appliance.program;
  const args = ["lamp", "same", "9", "--at", at, "--json"];
  const { stdout } = await runProgram({ args, folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ lamp: 9, at, replaced: false, serial: null });
  expect((await lampsOf(appliance)).lamps[8].past).toEqual([]);
  const listed = await runProgram({ args: ["lamp", "list"], folder, env });
  expect(listed.stdout).toContain("09  ");
  const audit = await fetch(`${appliance.url}/admin/audit?kind=lamp_replacement`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const { data } = await audit.json();
  const ofNine = ({ detail }: { detail: { lamp: number } }) => detail.lamp === 9;
  expect(data.filter(ofNine)).toMatchObject([
    { actor: expect.stringMatching(BY_COMMAND), detail: { replaced: false } },
    { actor: "configured", detail: { replaced: true } },
  ]);
});

test("a replacement is refused without a token, for no lamp, or not understood", async () => {
  const path = `${appliance.url}/admin/lamps/03/replacement`;
  expect((await fetch(path, { method: "POST", body: "{}" })).status).toBe(401);
  expect((await tell(appliance, "17", { at: "2026-05-01" })).status).toBe(404);
  expect(await tell(appliance, "03", {})).toMatchObject({ status: 400, body: { error: 400 } });
  for (const body of [
    { at: "yesterday" },
    { at: "2026-05-01", hours: -1 },
    { at: "2026-05-01", serial: 7 },
    { at: "2026-05-01", replaced: false, hours: 3 },
    { at: "2026-05-01", replaced: false, serial: "A-17" },
    [],
  ])
    expect((await tell(appliance, "03", body)).status).toBe(400);
  const ahead = await tell(appliance, "03", { at: "2062-11-23T10:00Z" });
  const message = expect.stringMatching(/^at: got 2062-.*, expected at most 48 hours from now$/);
  expect(ahead).toMatchObject({ status: 400, body: { message } });
  expect((await tell(appliance, "3", { at: "2024-05-01" })).status).toBe(200);
  const { folder } = appliance.program;
  expect(await runProgram({ args: ["lamp", "list", "3"], folder, env })).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining("lamp list 3: expected no more") },
  });
});

test("late readings and a restart give the lives of one that saw all in order", async () => {
  const random = printedRandom("lamps: late readings");
  const whole = await startAppliance({ env });
  await using _whole = whole;
  const pieces = await startAppliance({ env });
  await using _pieces = pieces;
  const fleet = openFleet(random, (lamp) => 200 * lamp);
  const operations = sized(5, 10);
  const first = voyage(fleet, operations);
  fleet.lamps[3] = newLamp(random);
  const second = voyage(fleet, operations);
  await load(whole, [...first, ...second]);
  await load(pieces, second);
  await forecasts(pieces, timeOf(second));
  await pieces.program.stop("SIGKILL");
  await using again = await startAppliance({ env, folder: pieces.program.folder });
  await load(again, random.shuffled(first));
  const lives = JSON.stringify(await lampsOf(whole));
  expect(JSON.stringify(await lampsOf(again))).toBe(lives);
  await forecasts(whole, timeOf(second));
  await again.program.waitUntil("the same forecasts", async () => {
    const [one, other] = [
      await whole.get("/api/predictions?limit=16"),
      await again.get("/api/predictions?limit=16"),
    ];
    return one.text === other.text;
  });
});

test("all lamps failing at once are sixteen failures, and then sixteen new lamps", async () => {
  const random = printedRandom("lamps: all at once");
  await using appliance = await startAppliance({ env });
  const fleet = openFleet(random, (lamp) => 500 + 50 * lamp);
  await load(appliance, voyage(fleet, 4));
  const before = (elapsed_h: number) => {
    for (const lamp of fleet.lamps) lamp.failed = elapsed_h >= 23.5;
  };
  const last = fleet.operate({ before });
  await load(appliance, last);
  const failed = await forecasts(appliance, timeOf(last));
  for (const { predictions } of failed.values())
    expect(predictions).toMatchObject({ remaining_useful_life_hours: 0, failure_probability: 1 });
  for (const index of fleet.lamps.keys()) fleet.lamps[index] = newLamp(random);
  const after = voyage(fleet, 1);
  await load(appliance, after);
  const known = await forecasts(appliance, timeOf(after));
  expect(known.size).toBe(16);
  for (const { predictions, current_state } of known.values()) {
    expect(predictions).toMatchObject({ basis: "rated_life_prior" });
    expect(current_state.runtime_hours).toBeCloseTo(24, -0.5);
  }
  const { lamps } = await lampsOf(appliance);
  for (const lamp of lamps) expect(lamp.past).toMatchObject([{ outcome: "failed" }]);
});

test("a lamp that gets better, and fields that are missing, end in no nonsense", async () => {
  const random = printedRandom("lamps: a better lamp");
  await using appliance = await startAppliance({ env });
  const fleet = openFleet(random, () => 800);
  const alter = (reading: Record<string, string | number>) => {
    const at_h = fleet.lamps[0].hours - 800;
    reading.LAMP_01_EFFICIENCY = Math.round((75 + at_h / 30) * 10) / 10;
    for (const name of ["LAMP_02_EFFICIENCY", "LAMP_03_RUNTIME", "LAMP_04_STATUS"])
      delete reading[name];
    for (const field of ["STATUS", "EFFICIENCY", "RUNTIME", "POWER"])
      delete reading[`LAMP_05_${field}`];
  };
  const readings = Array.from({ length: 16 }, () => fleet.operate({ alter })).flat();
  await load(appliance, readings);
  const known = await forecasts(appliance, timeOf(readings));
  expect(known.has("LAMP_05")).toBe(false);
  expect(known.size).toBe(15);
  for (const { predictions } of known.values()) {
    const rul = Number(predictions.remaining_useful_life_hours);
    expect(rul).toBeGreaterThan(0);
    expect(rul).toBeLessThan(20_000);
  }
  expect(known.get("LAMP_02")?.predictions.basis).toBe("rated_life_prior");
  expect((await lampsOf(appliance)).lamps[0].past).toEqual([]);
});
