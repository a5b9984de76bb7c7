// No data is an alarm: through the built program, with a threshold of seconds. It rises once for
// each outage, survives a restart and a heartbeat, and its end is state.

import { rmSync } from "node:fs";
import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openValidator } from "../rig/http-validator.ts";
import { jobsRan } from "../rig/job-runs.ts";
import { PATIENCE_MS } from "../rig/patience.ts";
import { temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

// They mostly wait for jobs, so they wait together.
const test = single.concurrent;

const env = { BALLASTD_ALARMS_NO_DATA_SECONDS: "2" };
const now = () => new Date().toISOString();

const reading = (fields: object) => ({
  kind: "telemetry",
  payload: JSON.stringify({ timestamp: now(), ...fields }),
});
const event = (event_type: string, data: object) => ({
  kind: "events",
  payload: JSON.stringify({ timestamp: now(), event_type, data }),
});

/** A lamp that is sent by itself, with a time of its own. */
const lamp = () => ({
  kind: "lamps/07",
  payload: JSON.stringify({ timestamp: Date.now() + 1, efficiency: 90 }),
});

let validator: ReturnType<typeof openValidator> | null = null;

async function alarms(appliance: Appliance, query = "") {
  const path = `/api/alarms${query}`;
  const { status, text } = await appliance.get(path);
  const checked = { method: "GET", path: "/api/alarms", status, type: "application/json" };
  validator ??= openValidator(await appliance.json("/openapi.json"));
  expect(validator.answerProblems({ ...checked, body: text })).toBeNull();
  return JSON.parse(text);
}

const waitFor = (appliance: Appliance, state: string) =>
  appliance.program.waitUntil(`an alarm ${state}`, async () => {
    return (await alarms(appliance)).some((alarm: { state: string }) => alarm.state === state);
  });

const raised = async (appliance: Appliance) =>
  (await appliance.json("/api/events?type=ALARM_TRIGGERED")).map(
    ({ data }: { data: object }) => data,
  );

test("silence in an operation is one alarm, across a restart, until readings come", async () => {
  const folder = temporaryFolder();
  {
    await using appliance = await startAppliance({ folder, env });
    const running = reading({ PROCESS_STATE: "RUNNING", operation_type: "BALLAST" });
    await appliance.publish([running, lamp()]);
    const { last_received_seconds_ago } = await appliance.json("/readyz");
    expect(last_received_seconds_ago).toBeLessThan(PATIENCE_MS / 1000);
    await waitFor(appliance, "active");
    const [alarm] = await alarms(appliance, "?state=active");
    const facts = { code: "NO_DATA", parameter: "last_reading", limit: 2, unit: "s" };
    expect(alarm).toMatchObject({ ...facts, source: "ballastd", cleared_at: null });
    expect(alarm.value).toBeGreaterThanOrEqual(2);
    expect((await appliance.get("/api/gaps")).text).toBe("[]");
    await jobsRan(appliance, ["silence"]);
    expect(await raised(appliance)).toMatchObject([{ ...facts, source: "ballastd" }]);
    await appliance.program.stop("SIGKILL");
  }
  await using appliance = await startAppliance({ folder, env });
  expect((await appliance.json("/readyz")).last_received_seconds_ago).toBeGreaterThan(2);
  await appliance.publish([reading({ HEARTBEAT: 1 })]);
  await jobsRan(appliance, ["silence"]);
  expect(await alarms(appliance)).toMatchObject([{ state: "active" }]);
  expect(await raised(appliance)).toHaveLength(1);
  // Again and again, for a single one may be as old as the threshold when the job looks.
  await appliance.program.waitUntil("the end of the silence", async () => {
    await appliance.publish([reading({ PROCESS_STATE: "RUNNING" })]);
    return (await alarms(appliance, "?state=cleared")).length > 0;
  });
  const [cleared] = await alarms(appliance, "?state=cleared");
  expect(Date.parse(cleared.cleared_at)).toBeGreaterThan(Date.parse(cleared.since));
  // Another outage soon after is another event of the same alert, as one more may have been.
  await waitFor(appliance, "active");
  const [again] = await alarms(appliance);
  expect(again).toMatchObject({ alert_state: "unacknowledged", since: cleared.since });
  expect(again.count).toBeGreaterThan(1);
  await appliance.program.waitUntil("one count", async () => {
    return (await raised(appliance)).length === (await alarms(appliance))[0].count;
  });
  await appliance.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});

test("an idle plant may be silent, and an operation's end ends the alarm", LONG, async () => {
  await using appliance = await startAppliance({ env });
  await appliance.publish([reading({ PROCESS_STATE: "IDLE" })]);
  await appliance.program.waitUntil("a silence", async () => {
    return (await appliance.json("/readyz")).last_received_seconds_ago > 3;
  });
  await jobsRan(appliance, ["silence"]);
  expect(await alarms(appliance)).toEqual([]);
  await appliance.publish([event("PROCESS_START", { operation_type: "CIP" })]);
  await waitFor(appliance, "active");
  expect((await alarms(appliance))[0].data).toMatchObject({ operation_type: "CIP" });
  await appliance.publish([event("PROCESS_STOP", { operation_type: "CIP" })]);
  await waitFor(appliance, "cleared");
});

test("the PLC's alarms are listed too, and a link that is lost is until it is back", async () => {
  await using appliance = await startAppliance();
  // Received too late to act on: it is listed, and isn't open.
  await appliance.publish([
    event("ALARM_TRIGGERED", {}),
    {
      kind: "events",
      payload: `{"timestamp":"2026-05-01T10:00:00Z","event_type":"ALARM_TRIGGERED",
        "description":"UV_LOW: below the limit","data":{"value":240,"unit":"W/m2"}}`,
    },
  ]);
  const will = { topic: "bwts/BWTS-001/status", payload: Buffer.from("gone"), qos: 1 } as const;
  const plc = await appliance.connect({ clientId: "plc-1", will });
  plc.stream.destroy();
  await waitFor(appliance, "active");
  expect(await alarms(appliance, "?state=unknown")).toMatchObject([
    { source: "plc", code: null },
    { source: "plc", code: "UV_LOW", value: 240, unit: "W/m2", limit: null, cleared_at: null },
  ]);
  expect(await alarms(appliance, "?state=open")).toMatchObject([
    { code: "PLC_LINK_LOST" },
    { source: "plc", code: null },
  ]);
  expect(await alarms(appliance, "?state=unknown&endDate=2026-05-02&limit=1")).toMatchObject([
    { code: "UV_LOW" },
  ]);
  expect(await alarms(appliance, "?state=active")).toMatchObject([
    { code: "PLC_LINK_LOST", source: "ballastd", data: { client: "plc-1" } },
  ]);
  const back = await appliance.connect({ clientId: "plc-1" });
  await back.publishAsync("bwts/BWTS-001/telemetry", reading({ A: 1 }).payload, { qos: 1 });
  await waitFor(appliance, "cleared");
  expect(await alarms(appliance, "?state=active")).toEqual([]);
  expect((await appliance.get("/api/alarms?state=over")).status).toBe(400);
});

test("the PLC's alarms end when it says so, and its warnings are listed", async () => {
  const folder = temporaryFolder();
  const data = { code: "UV_LOW" };
  {
    await using appliance = await startAppliance({ folder });
    await appliance.publish([event("ALARM_TRIGGERED", data), event("WARNING", { code: "DP" })]);
    await appliance.publish([event("ALARM_CLEARED", data)]);
    expect(await raised(appliance)).toHaveLength(2);
    expect(await appliance.json("/api/events")).toHaveLength(2);
    await appliance.program.stop("SIGKILL");
  }
  await using appliance = await startAppliance({ folder });
  expect(await alarms(appliance, "?state=cleared")).toMatchObject([
    { code: "UV_LOW", source: "plc", alert_state: "rectified", cleared_at: expect.any(String) },
  ]);
  expect(await alarms(appliance, "?state=unknown")).toMatchObject([
    { code: "DP", data: { severity: "WARNING" } },
  ]);
  expect((await appliance.get("/export/events?format=ndjson")).text).toContain("ALARM_CLEARED");
  rmSync(folder, { recursive: true });
});

interface Lost {
  readonly data: { readonly client: string | null; readonly repeated?: number };
}

const WILL = { topic: "$SYS/gone", payload: Buffer.from("gone"), qos: 1 } as const;

/** Connects under each name in turn, and is lost at once. */
async function loseLinks(appliance: Appliance, names: readonly string[]): Promise<void> {
  for (const clientId of names) {
    const plc = await appliance.connect({ clientId, will: WILL });
    plc.stream.destroy();
  }
}

test("a lost link ends when its publisher connects", LONG, async ({ expect }) => {
  await using appliance = await startAppliance();
  await loseLinks(appliance, Array<string>(60).fill(""));
  await waitFor(appliance, "active");
  expect((await alarms(appliance))[0]).toMatchObject({
    code: "PLC_LINK_LOST",
    data: { client: "127.0.0.1" },
  });
  await appliance.connect({ clientId: "plc-2" });
  await loseLinks(appliance, ["plc-1", "plc-1"]);
  const counts = async () => {
    const all: Lost[] = await alarms(appliance);
    return all.map(({ data }) => [data.client, data.repeated]);
  };
  const each = [
    ["plc-1", 1],
    ["127.0.0.1", 59],
  ];
  await expect.poll(counts).toEqual(each);
  await appliance.connect({ clientId: "" });
  await appliance.connect({ clientId: "plc-1" });
  await appliance.program.waitUntil("their ends", async () => {
    return (await alarms(appliance, "?state=active")).length === 0;
  });
  expect(await counts()).toEqual(each);
  expect((await appliance.json("/api/stats")).recentEvents).toHaveLength(2);
});

async function sharedOf(appliance: Appliance): Promise<readonly Lost[]> {
  const active: Lost[] = await alarms(appliance, "?state=active");
  return active.filter(({ data }) => data.client === null);
}

test("lost links of ever new names are bounded, and a new run begins without", LONG, async () => {
  await using appliance = await startAppliance();
  await loseLinks(
    appliance,
    Array.from({ length: 60 }, (_, number) => `plc-${number}`),
  );
  await appliance.program.waitUntil("the alarms", async () => {
    const all: Lost[] = await alarms(appliance);
    const others = all.find(({ data }) => data.client === null);
    return others?.data.repeated === 60 - 24 - 1;
  });
  expect(await alarms(appliance, "?state=active")).toHaveLength(25);
  expect((await appliance.json("/api/stats")).recentEvents).toHaveLength(25);
  // Connections of others don't clear the alarm of a lost link.
  await appliance.connect({ clientId: "plc-60" });
  await appliance.connect({ clientId: "plc-0" });
  await appliance.program.waitUntil("the end of one", async () => {
    return (await alarms(appliance, "?state=active")).length === 24;
  });
  expect(await sharedOf(appliance)).toHaveLength(1);
  for (let number = 24; number < 60; number += 1)
    await appliance.connect({ clientId: `plc-${number}` });
  await appliance.program.waitUntil("the end of the shared one", async () => {
    return (await sharedOf(appliance)).length === 0;
  });
  const { folder } = appliance.program;
  await appliance.program.stop("SIGKILL");
  await using again = await startAppliance({ folder });
  expect(await alarms(again, "?state=active")).toEqual([]);
});

test("filter and flow above their limits are alarms of now, across a restart", async () => {
  const folder = temporaryFolder();
  const minutesOf = (end_ms: number, minutes: number) =>
    Array.from({ length: minutes }, (_, ago) => ({
      kind: "telemetry",
      payload: JSON.stringify([
        {
          timestamp: end_ms - ago * 60_000,
          ...{ PROCESS_STATE: "RUNNING", operation_type: "BALLAST", COMPLIANCE_MODE: "USCG" },
          ...{ FLT_DIFF_PRESSURE: 0.62, SYS_FLOW_RATE: 950 },
        },
        { timestamp: end_ms - ago * 60_000 + 500, LAMP_03_EFFICIENCY: 90 },
      ]),
    }));
  const limits = { BALLASTD_LIMITS_FLOW_MAX_USCG: "900", BALLASTD_LIMITS_SOURCE: "certificate 7" };
  const active = async (appliance: Appliance) =>
    (await alarms(appliance, "?state=active"))
      .map(({ code }: { code: string }) => code)
      .filter((code: string) => code !== "NO_DATA")
      .sort();
  const both = ["FILTER_DP_HIGH", "FLOW_ABOVE_CERTIFIED"];
  {
    await using appliance = await startAppliance({ folder, env: limits });
    await appliance.publish(minutesOf(Date.parse("2026-05-01T10:00:00Z"), 10));
    await jobsRan(appliance, ["limits"]);
    expect(await active(appliance)).toEqual([]);
    await appliance.publish(minutesOf(Date.now(), 7));
    await appliance.program.waitUntil("both", async () => (await active(appliance)).length === 2);
    expect(await active(appliance)).toEqual(both);
    const [dp] = (await alarms(appliance)).filter(({ code }: { code: string }) => code === both[0]);
    expect(dp).toMatchObject({
      ...{ source: "ballastd", parameter: "FLT_DIFF_PRESSURE", value: 0.62, limit: 0.5 },
      ...{ unit: "bar", data: { limit_key: "limits.dp_warn", limit_source: "certificate 7" } },
    });
    expect(dp.description).toBe(
      "FILTER_DP_HIGH: the filter's differential pressure is 0.62 bar, above limits.dp_warn " +
        "(0.5 bar), for 6 minutes",
    );
    await appliance.program.stop("SIGKILL");
  }
  await using appliance = await startAppliance({ folder, env: limits });
  await appliance.publish([reading({ PROCESS_STATE: "RUNNING", FLT_DIFF_PRESSURE: 0.62 }), lamp()]);
  await jobsRan(appliance, ["limits"]);
  expect(await active(appliance)).toEqual(both);
  await appliance.publish([event("PROCESS_STOP", { operation_type: "BALLAST" })]);
  await appliance.program.waitUntil("the end", async () => (await active(appliance)).length === 0);
  expect(
    (await raised(appliance)).filter(({ code }: { code: string }) => both.includes(code)),
  ).toHaveLength(2);
  rmSync(folder, { recursive: true });
});
