// Alerts through the built program: the plant's repeated alarms are one, an engineer acknowledges
// and shelves, all of it survives a kill, and the audit log tells who did it.

import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openValidator } from "../rig/http-validator.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const test = single.concurrent;

const TOKEN = "token-of-the-chief-engineer";
const FIRST_MS = Date.now() - 2 * 3_600_000;
const at = (minute: number) => new Date(FIRST_MS + minute * 60_000).toISOString();
const env = { BALLASTD_AUTH_TOKEN: TOKEN };

const alarm = (code: string, timestamp: string, data: object = {}) => ({
  kind: "events",
  payload: JSON.stringify({
    timestamp,
    event_type: "ALARM_TRIGGERED",
    description: `${code}: the panel's text\nown-1  is more than a line`,
    data: { code, ...data },
  }),
});

interface Act {
  readonly token?: string | null;
  readonly type?: string;
}

async function post(
  { url }: Appliance,
  path: string,
  body: unknown,
  { token = TOKEN, type = "application/json" }: Act = {},
) {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: {
      "Content-Type": type,
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), text };
}

async function audited({ url }: Appliance, kind: string) {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/admin/audit?kind=${kind}`, { headers });
  return (await answer.json()).data;
}

const STAYS = "acknowledged here; the panel's alarm stays";

const open = (appliance: Appliance) => appliance.json("/api/alarms?state=open");

/** Lists, shelves and acknowledges by the command line, which asks the running instance. */
async function actAtThePc(appliance: Appliance, folder: string): Promise<void> {
  const typed = (...args: string[]) => runProgram({ args: ["alarm", ...args, "--json"], folder });
  const listed = JSON.parse((await typed("list")).stdout);
  expect(listed).toMatchObject([{ lamp: 8 }, { lamp: 7, alert_state: "unacknowledged" }]);
  const told = await runProgram({ args: ["alarm", "list"], folder });
  expect(told.stdout.trimEnd().split("\n")).toHaveLength(2);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const shelved = await typed("shelve", listed[1].id, "--until", until, "--reason", "in port");
  expect(JSON.parse(shelved.stdout)).toMatchObject({ shelved_until: until });
  expect((await typed("acknowledge", "own-99")).code).toBe(1);
  expect(await open(appliance)).toMatchObject([{ lamp: 8 }, { shelved_reason: "in port" }]);
  expect((await audited(appliance, "alarm_shelved"))[0].actor).toMatch(/^local:/);
}

test("the plant's repeated alarms are one alert, closed when it is acknowledged", async () => {
  const folder = temporaryFolder();
  let acknowledged: { id: string } | null = null;
  {
    await using appliance = await startAppliance({ folder, env });
    const validator = openValidator(await appliance.json("/openapi.json"));
    await appliance.publish([
      alarm("UV_LOW", at(0), { value: 240, limit: 252, unit: "W/m2" }),
      alarm("UV_LOW", at(20), { value: 231, limit: 252, unit: "W/m2" }),
      alarm("UV_LOW", at(10), { value: 235 }),
      alarm("LAMP_FAILURE", at(5), { parameter: "LAMP_07_STATUS" }),
      alarm("LAMP_FAILURE", at(6), { parameter: "LAMP_08_STATUS" }),
    ]);
    // Delivered again, it isn't counted again.
    await appliance.publish([alarm("UV_LOW", at(10), { value: 235 })]);
    const { status, text } = await appliance.get("/api/alarms?state=open");
    const checked = { method: "GET", path: "/api/alarms", status, type: "application/json" };
    expect(validator.answerProblems({ ...checked, body: text })).toBeNull();
    const alerts = JSON.parse(text);
    expect(alerts).toMatchObject([
      {
        ...{ code: "UV_LOW", source: "plc", state: "unknown", priority: "alarm", count: 3 },
        ...{ since: at(0), last_raised: at(20) },
        ...{ value: 240, limit: 252, unit: "W/m2", alert_state: "unacknowledged" },
      },
      { code: "LAMP_FAILURE", lamp: 8, count: 1 },
      { code: "LAMP_FAILURE", lamp: 7, count: 1 },
    ]);
    expect(await appliance.json("/api/events?type=ALARM_TRIGGERED")).toHaveLength(5);
    const path = `/admin/alarms/${alerts[0].id}/acknowledge`;
    const done = await post(appliance, path, { note: "water of the Elbe" });
    expect(done).toMatchObject({
      status: 200,
      body: {
        message: STAYS,
        ...{ id: alerts[0].id, alert_state: "closed", acknowledged_note: "water of the Elbe" },
      },
    });
    const named = { method: "POST", path: "/admin/alarms/{id}/acknowledge" };
    const answered = { ...named, status: 200, type: "application/json", body: done.text };
    expect(validator.answerProblems(answered)).toBeNull();
    acknowledged = done.body;
    // Again, by whomever, changes nothing.
    expect((await post(appliance, path, { note: "another" })).body).toEqual(done.body);
    expect(await audited(appliance, "alarm_acknowledged")).toMatchObject([
      { actor: "configured", detail: { id: alerts[0].id, code: "UV_LOW", count: 3 } },
    ]);
    expect((await post(appliance, path, {}, { token: null })).status).toBe(401);
    expect((await post(appliance, path, [])).status).toBe(400);
    expect((await post(appliance, path, "note", { type: "text/plain" })).status).toBe(415);
    for (const id of ["own-99", "plc-0123456789abcdef", "7", "%00", "%E0%A4%A", "own-1'--"]) {
      const answer = await post(appliance, `/admin/alarms/${id}/acknowledge`, {});
      expect(answer, id).toMatchObject({
        status: 404,
        body: { message: expect.stringMatching(/expected an id|nothing at/) },
      });
    }
    await actAtThePc(appliance, folder);
    await appliance.program.stop("SIGKILL");
  }
  await using appliance = await startAppliance({ folder, env });
  expect(await open(appliance)).toHaveLength(2);
  const [first] = await appliance.json("/api/alarms");
  expect({ ...first, message: STAYS }).toMatchObject({ ...acknowledged });
  // The next one of the code is another alert.
  await appliance.publish([alarm("UV_LOW", at(60), { value: 222 })]);
  const [next] = await open(appliance);
  expect(next).toMatchObject({ code: "UV_LOW", count: 1, value: 222, acknowledged_at: null });
  expect(next.id).not.toBe(acknowledged?.id);
});

test("an own alert is acknowledged while it lasts; when it's over, it's closed", LONG, async () => {
  await using appliance = await startAppliance({ env });
  const will = { topic: "bwts/BWTS-001/status", payload: Buffer.from("gone"), qos: 1 } as const;
  const lose = async () => {
    const plc = await appliance.connect({ clientId: "plc-1", will });
    plc.stream.destroy();
  };
  const standing = (alert_state: string) =>
    appliance.program.waitUntil(alert_state, async () => {
      const [alert] = await appliance.json("/api/alarms");
      return alert?.alert_state === alert_state;
    });
  await lose();
  await standing("unacknowledged");
  const [{ id, action, priority }] = await open(appliance);
  expect(priority).toBe("warning");
  expect(action).toMatch(/NO_DATA/);
  await appliance.connect({ clientId: "plc-1" });
  await standing("rectified");
  expect(await open(appliance)).toMatchObject([{ id, state: "cleared", count: 1 }]);
  // Again soon: the same alert.
  await lose();
  await standing("unacknowledged");
  expect(await open(appliance)).toMatchObject([{ id, state: "active", count: 2 }]);
  await post(appliance, `/admin/alarms/${id}/acknowledge`, {});
  expect(await open(appliance)).toMatchObject([
    { id, state: "active", alert_state: "acknowledged", acknowledged_by: "configured" },
  ]);
  const shelve = `/admin/alarms/${id}/shelve`;
  const hour = new Date(Date.now() + 3_600_000).toISOString();
  const shelved = await post(appliance, shelve, { until: hour, reason: "PLC is being replaced" });
  expect(shelved.body).toMatchObject({ shelved_until: hour, shelved_by: "configured" });
  await post(appliance, shelve, { until: hour, reason: "PLC is being replaced" });
  expect(await open(appliance)).toMatchObject([{ shelved_until: hour }]);
  expect((await post(appliance, shelve, { until: null })).body).toMatchObject({
    ...{ shelved_until: null, shelved_reason: null, message: "no longer shelved" },
  });
  expect(await audited(appliance, "alarm_shelved")).toHaveLength(2);
  const eight_days = new Date(Date.now() + 8 * 86_400_000).toISOString();
  for (const [body, words] of [
    [{ until: eight_days, reason: "x" }, /^until: got .*, expected a time after/],
    [{ until: "2026-01-01", reason: "x" }, /^until: got 2026/],
    [{ until: hour }, /^reason: is missing/],
    [{ until: hour, reason: " " }, /^reason: is missing/],
    [{ until: 7, reason: "x" }, /^until: 7 was given, expected a time/],
    [{ reason: "x" }, /^until: is missing/],
    [{ until: hour, reason: "x".repeat(201) }, /^reason: .*at most 200/],
  ] as const) {
    const answer = await post(appliance, shelve, body);
    expect(answer, JSON.stringify(body)).toMatchObject({ status: 400 });
    expect(answer.body.message).toMatch(words);
  }
  await appliance.connect({ clientId: "plc-1" });
  await standing("closed");
  expect(await open(appliance)).toEqual([]);
  const late = await post(appliance, shelve, { until: hour, reason: "late" });
  expect(late).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/over and closed/) },
  });
});

test("values out of their limits, failed and worn lamps, a due cleaning are alerts", async () => {
  const limits = {
    BALLASTD_LIMITS_SOURCE: "certificate 7",
    BALLASTD_LIMITS_CIP_HOURS: "500",
    BALLASTD_LAMPS_HORIZON_HOURS: "2000",
  };
  await using appliance = await startAppliance({ env: { ...env, ...limits } });
  const lamps = { LAMP_07_STATUS: " failed ", LAMP_08_STATUS: "ACTIVE", LAMP_03_RUNTIME: 5200 };
  const bad = {
    ...{ PROCESS_STATE: "RUNNING", operation_type: "BALLAST", COMPLIANCE_MODE: "USCG", ...lamps },
    ...{ UVR_INTENSITY: 480, SYS_FLOW_RATE: 1100, FLT_DIFF_PRESSURE: 1.2, LDC_AIR_TEMP: 61 },
    ...{ CIP_HOURS_SINCE_LAST: 501, LAMP_03_EFFICIENCY: 71 },
  };
  const minutes = (count: number, fields: object, end_ms = Date.now()) =>
    Array.from({ length: count }, (_, index) => ({
      kind: "telemetry",
      payload: JSON.stringify({ timestamp: end_ms - (count - 1 - index) * 60_000, ...fields }),
    }));
  const codes = async () =>
    (await open(appliance))
      .filter(({ state }: { state: string }) => state === "active")
      .map(({ code, lamp }: { code: string; lamp: number | null }) => `${code} ${lamp ?? ""}`)
      .sort();
  const until = (expected: readonly string[]) =>
    appliance.program.waitUntil(expected.join(", "), async () => {
      return JSON.stringify(await codes()) === JSON.stringify(expected);
    });
  const stay = ["CIP_DUE ", "LAMP_FAILED 7", "LAMP_NEAR_END 3"];
  // One alert for one situation: that of the further limit.
  const end = ["CABINET_TRIP ", "FILTER_DP_ALARM ", "FLOW_ABOVE_CERTIFIED ", "UV_BELOW_LIMIT "];
  await appliance.publish(minutes(10, bad));
  await until([...stay, ...end].sort());
  const alerts = await open(appliance);
  const alert = (name: string) => alerts.find(({ code }: { code: string }) => code === name);
  expect(alert("UV_BELOW_LIMIT")).toMatchObject({
    ...{ priority: "warning", parameter: "UVR_INTENSITY", value: 480, limit: 530, unit: "W/m2" },
    ...{ limit_source: "certificate 7", data: { limit_key: "limits.uv_uscg" } },
    description: expect.stringMatching(
      /^UV_BELOW_LIMIT: the UV intensity is 480 W\/m2, below limits.uv_uscg \(530 W\/m2\), for 9 /,
    ),
  });
  expect(alert("LAMP_FAILED")).toMatchObject({
    ...{ lamp: 7, parameter: "LAMP_07_STATUS", description: "LAMP_FAILED: lamp 7 has failed" },
  });
  expect(alert("CIP_DUE")).toMatchObject({
    priority: "caution",
    value: 501,
    limit: 500,
    unit: "h",
  });
  expect(alert("LAMP_NEAR_END")).toMatchObject({ lamp: 3, limit: 2000, unit: "h" });
  // The end of the operation ends all that need one; cautions close, warnings stay rectified.
  const stop = { timestamp: Date.now(), event_type: "PROCESS_STOP", data: {} };
  await appliance.publish([{ kind: "events", payload: JSON.stringify(stop) }]);
  await until(stay);
  const rectified = (await open(appliance)).filter(
    ({ alert_state }: { alert_state: string }) => alert_state === "rectified",
  );
  expect(rectified.map(({ code }: { code: string }) => code).sort()).toEqual([
    ...["CABINET_TRIP", "FILTER_DP_ALARM", "FLOW_ABOVE_CERTIFIED", "UV_BELOW_LIMIT"],
  ]);
  const mended = { PROCESS_STATE: "IDLE", LAMP_07_STATUS: "STANDBY", CIP_HOURS_SINCE_LAST: 0 };
  await appliance.publish(minutes(1, mended));
  await until(["LAMP_NEAR_END 3"]);
});
