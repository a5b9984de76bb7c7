// The spare lamps aboard, of the built program: counted over HTTP and by the command, one less at
// each lamp replaced, in the audit log and in the plan, across a restart.

import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openFleet, recentStart } from "../rig/fleet.ts";
import { forecasts, load, timeOf, voyage } from "../rig/lamps-aboard.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";

const TOKEN = "engineers-own-token";
const env = {
  ...{ BALLASTD_AUTH_TOKEN: TOKEN },
  ...{ BALLASTD_LAMPS_PART_NUMBER: "UVL-3400", BALLASTD_LAMPS_LEAD_DAYS: "45" },
};

function poster({ url }: Pick<Appliance, "url">) {
  return async (path: string, body: unknown, token = TOKEN) => {
    const answer = await fetch(`${url}/admin/lamps/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

test("of two who count the spares at once the second hears of the first", async () => {
  await using appliance = await startAppliance({ env });
  const post = poster(appliance);
  expect(await post("spares", { spares: 5, old: null })).toMatchObject({ status: 200 });
  for (const old of [6, null])
    expect(await post("spares", { spares: 3, old })).toMatchObject({
      ...{
        status: 409,
        body: { message: expect.stringContaining("spares aboard: 5 by now, instead of ") },
      },
    });
  // As after a lost answer.
  expect(await post("spares", { spares: 5, old: null })).toMatchObject({ status: 200 });
  expect(await post("spares", { spares: 3, old: -1 })).toMatchObject({ status: 400 });
  expect(await post("spares", { spares: 6, old: 5 })).toEqual({ status: 200, body: { spares: 6 } });
  expect((await appliance.json("/api/lamps/plan")).spares).toBe(6);
});

test("spares are counted, taken by each lamp replaced, and never below 0", async () => {
  await using appliance = await startAppliance({ env });
  const { folder } = appliance.program;
  const post = poster(appliance);
  const spares = async () => (await appliance.json("/api/lamps/plan")).spares;
  const command = (...args: string[]) => runProgram({ args: ["lamp", ...args], folder, env });

  expect(await spares()).toBeNull();
  expect(await command("spares")).toMatchObject({ code: 0, stdout: "never counted\n" });
  // Without a count there is nothing to take from.
  expect((await post("01/replacement", { at: "2026-05-01" })).status).toBe(200);
  expect(await spares()).toBeNull();
  expect(await post("spares", { spares: 1 }, "wrong")).toMatchObject({ status: 401 });
  for (const odd of [-1, 1.5, 1000, "2", null])
    expect(await post("spares", { spares: odd })).toMatchObject({ status: 400 });
  expect(await post("spares", { spares: 1 })).toEqual({ status: 200, body: { spares: 1 } });
  expect(await spares()).toBe(1);

  expect((await post("02/replacement", { at: "2026-05-01" })).status).toBe(200);
  expect(await spares()).toBe(0);
  // A correction of the same replacement takes none, and one that denies it gives it back.
  expect((await post("02/replacement", { at: "2026-05-01T06:00Z", serial: "A" })).status).toBe(200);
  expect(await spares()).toBe(0);
  expect((await post("02/replacement", { at: "2026-05-01", replaced: false })).status).toBe(200);
  expect(await spares()).toBe(1);
  for (const lamp of ["03", "04"])
    expect((await post(`${lamp}/replacement`, { at: "2026-05-02" })).status).toBe(200);
  expect(await spares()).toBe(0);

  expect(await command("spares", "6")).toMatchObject({
    code: 0,
    stderr: "spare lamps aboard: 6\n",
  });
  expect(await spares()).toBe(6);
  expect(JSON.parse((await command("spares", "--json")).stdout)).toEqual({ spares: 6 });
  for (const odd of [["1000"], ["two"], ["1", "2"]])
    expect(await command("spares", ...odd)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("expected a whole number from 0 to 999"),
    });
  const audit = await fetch(`${appliance.url}/admin/audit?kind=lamp_spares`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const { data } = await audit.json();
  expect(data.map(({ detail }: { detail: object }) => detail)).toEqual([
    { before: 0, after: 6, lamp: null },
    { before: 1, after: 0, lamp: 3 },
    { before: 0, after: 1, lamp: 2 },
    { before: 1, after: 0, lamp: 2 },
    { before: null, after: 1, lamp: null },
  ]);
  await appliance.program.stop("SIGTERM");
  await using again = await startAppliance({ folder, env });
  expect(await again.json("/api/lamps/plan")).toMatchObject({
    ...{ spares: 6, part_number: "UVL-3400", lead_days: 45 },
  });
});

test("a denied replacement gives back no more than it took since the last count", async () => {
  await using appliance = await startAppliance({ env });
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    expect((await fetch(`${appliance.url}/admin/lamps/${path}`, sent)).status).toBe(200);
    return (await appliance.json("/api/lamps/plan")).spares;
  };
  const count = (spares: number) => post("spares", { spares });
  const fitted = (lamp: string) => post(`${lamp}/replacement`, { at: "2026-05-01" });
  const same = (lamp: string) =>
    post(`${lamp}/replacement`, { at: "2026-05-01T12:00Z", replaced: false });
  // Fitted before the first count.
  await fitted("01");
  expect([await count(4), await same("01"), await fitted("01")]).toEqual([4, 4, 4]);
  // Fitted before the newest count.
  expect([await fitted("03"), await count(3), await same("03")]).toEqual([3, 3, 3]);
  // Without a spare none is taken, and none is given back.
  await count(0);
  expect([await fitted("10"), await same("10")]).toEqual([0, 0]);
  await count(1);
  expect([await fitted("11"), await fitted("12")]).toEqual([0, 0]);
  expect([await same("12"), await same("11"), await same("11")]).toEqual([0, 1, 1]);
});

test("the plan changes a lamp past its hours now, and spares lower its order", async () => {
  const random = printedRandom("lamp-spares: the plan");
  await using appliance = await startAppliance({ env });
  // Lamps 15 and 16 have their rated hours soon, or already.
  const hours = (lamp: number) => (lamp === 15 ? 3100 : lamp === 14 ? 2700 : 40 * lamp);
  const fleet = openFleet(random, hours, recentStart(12));
  const readings = voyage(fleet, 12);
  await load(appliance, readings);
  await forecasts(appliance, timeOf(readings));
  const plan = await appliance.json("/api/lamps/plan");
  expect(plan.lamps[15]).toMatchObject({ planned: "now", change_by: null });
  expect(["output", "rated_hours", "forecast", "failed"]).toContain(plan.lamps[15].reason);
  const { p05, p95, expected } = plan.within_lead_time;
  expect(p05).toBeGreaterThanOrEqual(1);
  expect(p95).toBeGreaterThanOrEqual(p05);
  expect(expected).toBeGreaterThanOrEqual(1);
  expect(plan).toMatchObject({ order: p95, no_forecast: [], data_through: timeOf(readings) });
  expect(plan.days_between_calls).toBe(10);
  expect(plan.next_call > String(timeOf(readings)).slice(0, 10)).toBe(true);
  const { folder } = appliance.program;
  const printed = await runProgram({ args: ["lamp", "plan"], folder, env });
  expect(printed).toMatchObject({ code: 0, stderr: "" });
  expect(printed.stdout).toMatch(/^16 {2}\S+ % {2}\S+ h {2}change now {2}/m);
  expect(printed.stdout).toMatch(
    new RegExp(`^lamps needed within 45 days: ${p05} to ${p95} `, "m"),
  );
  const json = await runProgram({ args: ["lamp", "plan", "--json"], folder, env });
  expect(JSON.parse(json.stdout)).toEqual(plan);
  await runProgram({ args: ["lamp", "spares", "1"], folder, env });
  expect((await appliance.json("/api/lamps/plan")).order).toBe(p95 - 1);
});
