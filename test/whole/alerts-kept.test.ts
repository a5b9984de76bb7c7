// Alerts through a backup and a restore on a new machine: open, acknowledged, shelved ones, a
// shelving that ends while no program runs, and a name and a text of thousands of characters.

import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { AlarmAnswer } from "../../src/bwts/present/alarm.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openEventStream } from "../rig/event-stream.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const TOKEN = "token-of-the-chief-engineer";
const env = { BALLASTD_AUTH_TOKEN: TOKEN };
const newFolder = foldersOfTests(afterAll);
const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();
const CODE = "C".repeat(5000);
const TEXT = "D".repeat(6000);

const alarm = (code: string, minutes_ago: number, description = `${code}: the panel's text`) => ({
  kind: "events",
  payload: JSON.stringify({
    timestamp: NOW_MS - minutes_ago * 60_000,
    ...{ event_type: "ALARM_TRIGGERED", description, data: { code } },
  }),
});

async function act({ url }: Appliance, id: string, how: string, body: object) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${TOKEN}` };
  const asked = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/admin/alarms/${id}/${how}`, asked);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text);
}

const listed = (appliance: Appliance): Promise<AlarmAnswer[]> => appliance.json("/api/alarms");

/** An own alert that lasts, and four of the plant's. */
async function raiseAll(appliance: Appliance): Promise<Map<string | null, string>> {
  const will = { topic: "bwts/BWTS-001/status", payload: Buffer.from("gone"), qos: 1 } as const;
  const plc = await appliance.connect({ clientId: "plc-1", will });
  plc.stream.destroy();
  const codes = ["PUMP_TRIP", "PUMP_TRIP", "VALVE_STUCK", "FAN_STOPPED", "DOOR_OPEN"];
  await appliance.publish(codes.map((code, place) => alarm(code, 20 - place)));
  await appliance.program.waitUntil("all of them", async () => {
    return (await listed(appliance)).length === 5;
  });
  return new Map((await listed(appliance)).map(({ code, id }) => [code, id]));
}

const iso = (at_ms: number) => new Date(at_ms).toISOString();

test("what people did with alerts comes back, and a shelving ends while nothing runs", async () => {
  const [folder, other] = [newFolder(), newFolder()];
  const file = path.join(folder, "stick.db");
  let before: readonly AlarmAnswer[];
  {
    await using appliance = await startAppliance({ folder, env });
    const ids = await raiseAll(appliance);
    const idOf = (code: string) => ids.get(code) ?? "";
    await act(appliance, idOf("PUMP_TRIP"), "acknowledge", { note: "breaker" });
    await act(appliance, idOf("PLC_LINK_LOST"), "acknowledge", { note: "new cable" });
    const until = iso(Date.now() + 2 * HOUR_MS);
    await act(appliance, idOf("VALVE_STUCK"), "shelve", { until, reason: "part ordered" });
    const soon_ms = Date.now() + HOUR_MS;
    const soon = { until: iso(soon_ms), reason: "in port" };
    const shelved = await act(appliance, idOf("FAN_STOPPED"), "shelve", soon);
    expect(shelved).toMatchObject({ shelved_until: iso(soon_ms) });
    before = await listed(appliance);
    const made = await runProgram({ args: ["backup", file], folder });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    await appliance.program.stop("SIGTERM");
  }
  const restored = await runProgram({ args: ["restore", file], folder: other });
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  // It is started an hour and a half later.
  const clock = fakeClock(other);
  clock.set(1.5 * (HOUR_MS / 1000));
  await using appliance = await startAppliance({ folder: other, env: { ...env, ...clock.env } });
  const ended = { shelved_until: null, shelved_by: null, shelved_reason: null };
  const ofPlant = ({ source }: AlarmAnswer) => source === "plc";
  const after = await listed(appliance);
  expect(after.filter(ofPlant)).toEqual(
    before.filter(ofPlant).map((one) => (one.code === "FAN_STOPPED" ? { ...one, ...ended } : one)),
  );
  const standing = after.map(({ code, alert_state, count }) => [code, alert_state, count]);
  expect(new Set(standing)).toEqual(
    new Set([
      // A new run begins without lost links.
      ["PLC_LINK_LOST", "closed", 1],
      ["PUMP_TRIP", "closed", 2],
      ["VALVE_STUCK", "unacknowledged", 1],
      ["FAN_STOPPED", "unacknowledged", 1],
      ["DOOR_OPEN", "unacknowledged", 1],
    ]),
  );
  expect(after.find(({ code }) => code === "PLC_LINK_LOST")).toMatchObject({
    ...{ acknowledged_by: "configured", acknowledged_note: "new cable" },
    id: before.find(({ code }) => code === "PLC_LINK_LOST")?.id,
  });
  const { alerts } = await appliance.json("/api/overview");
  const shelved = alerts.filter(({ shelved_until }: AlarmAnswer) => shelved_until !== null);
  expect(shelved).toMatchObject([{ code: "VALVE_STUCK" }]);
  await expectLongOneBounded(appliance);
});

/** Lists have its beginnings, the record has all. */
async function expectLongOneBounded(appliance: Appliance): Promise<void> {
  using stream = await openEventStream(`${appliance.url}/stream`);
  await stream.waitFor(({ type }) => type === "beat");
  await appliance.publish([alarm(CODE, 1, TEXT)]);
  const isLong = (text: string | null) => text?.startsWith("CCC") === true;
  const [told] = await stream.waitFor(({ type, data }) => type === "alert" && isLong(data.code));
  const [known] = (await listed(appliance)).filter(({ code }) => isLong(code));
  expect(told.data).toEqual(known);
  expect(known.description).toBe(`${TEXT.slice(0, 1023)}…`);
  expect(JSON.stringify(known).length).toBeLessThan(2 * 16_384);
  const { alerts }: { alerts: AlarmAnswer[] } = await appliance.json("/api/overview");
  const [shown] = alerts.filter(({ code }) => isLong(code));
  expect(shown).toMatchObject({ id: known.id, code: CODE.slice(0, 200) });
  const events: AlarmAnswer[] = await appliance.json("/api/events");
  expect(events.filter(({ data }) => data.code === CODE)).toHaveLength(1);
  expect(await appliance.quarantine()).toMatchObject([
    { payload: expect.stringContaining(TEXT), detail: expect.stringContaining("6000") },
  ]);
}
