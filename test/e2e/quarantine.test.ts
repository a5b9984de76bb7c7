// Rejected messages through the built program: acknowledged, quarantined with a reason, counted,
// and listed without harm to a terminal; valid parts of the same message are stored.

import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Appliance, publishAll, startAppliance, topicOf } from "../oracle/appliance.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { CONNACK_ACCEPTED, connectPacket, publishPacket, rawClient } from "../rig/raw-mqtt.ts";
import { LONG } from "../rig/scale.ts";

const TIME = '"timestamp":"2026-05-01T00:00:00Z"';
const MIB = 1024 * 1024;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

// Nothing of these can be taken: kind, payload, the reason, and what its detail must name.
const REFUSED: readonly (readonly [
  kind: string,
  payload: string,
  reason: string,
  detail: RegExp,
])[] = [
  ["telemetry", "not JSON", "bad_json", /./],
  ["telemetry", "", "bad_json", /./],
  ["telemetry", '{"SYS_PRESSURE":4', "bad_json", /./],
  ["telemetry", "42", "bad_json", /42/],
  ["telemetry", `{${TIME.replace("05", "02").replace("01T", "30T")}}`, "bad_time", /2026-02-30/],
  ["telemetry", '{"timestamp":"2026-05-01T24:00:00Z"}', "bad_time", /24:00/],
  ["telemetry", '{"timestamp":"2026-05-01T00:00:60Z"}', "bad_time", /:60/],
  ["telemetry", '{"timestamp":"2026-W18-5"}', "bad_time", /W18/],
  ["telemetry", '{"timestamp":true}', "bad_time", /true/],
  ["telemetry", '{"timestamp":"1999-12-31T23:59:59.999Z"}', "bad_time", /1999/],
  ["telemetry", '{"timestamp":0}', "bad_time", /1970/],
  ["telemetry", `{"timestamp":"${inMinutes(70)}"}`, "future", /./],
  ["events", `{"timestamp":"${inMinutes(70)}","event_type":"PROCESS_STOP"}`, "future", /./],
  ["telemetry", `{${TIME},"system_id":"BWTS-002","SYS_PRESSURE":4}`, "other_system", /BWTS-002/],
  ["telemetri", `{${TIME}}`, "unknown_topic", /./],
  ["lamps/0", `{${TIME}}`, "unknown_topic", /./],
  ["lamps/17", `{${TIME}}`, "unknown_topic", /./],
  ["lamps/7/status", `{${TIME}}`, "unknown_topic", /./],
  ["../BWTS-002/telemetry", `{${TIME}}`, "unknown_topic", /./],
  ["events", `{${TIME},"event_type":"PROCESS_PAUSE"}`, "bad_value", /PROCESS_PAUSE/],
  ["events", `{${TIME},"event_type":"PROCESS_STOP","data":[1]}`, "bad_value", /data/],
  ["health", `{${TIME},"risk_level":"LOW"}`, "bad_value", /overall_score/],
  ["predictions", `{${TIME},"component_id":"LAMP_17"}`, "bad_value", /LAMP_17/],
];

test("what can't be taken is acknowledged and set aside, one entry a message", async () => {
  await using appliance = await startAppliance();
  const client = await appliance.connect();
  for (const [kind, payload] of REFUSED) await publishAll(client, [{ kind, payload }]);
  const entries = (await appliance.quarantine()).toReversed();
  const shown = (topic: string, payload: string | null, reason: string) => ({
    topic,
    payload,
    reason,
  });
  expect(entries.map((entry) => shown(entry.topic, entry.payload, entry.reason))).toEqual(
    REFUSED.map(([kind, payload, reason]) => shown(topicOf(kind), payload, reason)),
  );
  for (const [index, [, payload, , detail]] of REFUSED.entries()) {
    expect(entries[index].detail).toMatch(detail);
    expect(entries[index]).toMatchObject({ count: 1, payload_bytes: payload.length });
  }
  await expectNothingStored(appliance);
  const { text } = await appliance.get("/metrics");
  expect(text).toContain(`\nballastd_quarantined_messages_total ${REFUSED.length}\n`);
});

async function expectNothingStored(appliance: Appliance): Promise<void> {
  for (const path of ["/api/telemetry/history", "/api/events", "/api/health", "/api/predictions"]) {
    const stored: { data?: { source?: string } }[] = await appliance.json(path);
    // Without ballastd's own alert of what is quarantined, which comes after some seconds.
    expect(stored.filter(({ data }) => data?.source !== "ballastd")).toEqual([]);
  }
  expect((await appliance.get("/api/telemetry/latest")).status).toBe(404);
}

test("another system's, a retained one without time and one too large are set aside", async () => {
  await using appliance = await startAppliance();
  const client = await appliance.connect();
  const publish = (topic: string, payload: string, retain = false) =>
    client.publishAsync(topic, payload, { qos: 1, retain });
  await publish("bwts/BWTS-002/telemetry", `{${TIME}}`);
  await publish("elsewhere/at/all", "1");
  await publish(topicOf("telemetry"), '{"SYS_PRESSURE":4}', true);
  const large = (bytes: number) => `{${TIME},"SYS_PRESSURE":4}`.padEnd(bytes);
  await publish(topicOf("telemetry"), large(MIB + 1));
  await expectNothingStored(appliance);
  const entries = await appliance.quarantine();
  expect(entries.map(({ reason }) => reason)).toEqual([
    "too_large",
    "retained",
    "unknown_topic",
    "other_system",
  ]);
  expect(entries[0]).toMatchObject({ payload_bytes: MIB + 1, payload: large(64 * 1024) });
  await publish(topicOf("telemetry"), large(MIB));
  await publish(topicOf("telemetry"), `{${TIME},"SYS_FLOW_RATE":700}`, true);
  await publish(topicOf("telemetry"), `{"timestamp":"${inMinutes(4)}"}`);
  expect(await appliance.json("/api/telemetry/history?hours=87600")).toMatchObject([
    { SYS_PRESSURE: 4, SYS_FLOW_RATE: 700 },
    { SYS_PRESSURE: null },
  ]);
  expect(await appliance.quarantine()).toHaveLength(4);
});

test("a bad field doesn't cost the reading, and all bad fields make one entry", async () => {
  await using appliance = await startAppliance();
  const many = Object.fromEntries(
    [...Array(258).keys()].map((number) => [`TAG_${number}`, number]),
  );
  const bad = {
    ...{ UVR_INTENSITY: "1.234,5", SYS_FLOW_RATE: "fast", FAILED_LAMP_COUNT: 1.5 },
    ...{ SYS_EXTERNAL_FEED: "yes", location: 7, PROCESS_STATE: { a: 1 }, UVR_LEVEL: ["x"] },
    ...{ NEST: { a: 1 }, LIST: [1], "bad name": 1, [`L${"o".repeat(64)}NG`]: 1, é: 1 },
  };
  const good = { SYS_PRESSURE: "4,5", LDC_WATER_ALARM: "TRUE", FLT_BACKFLUSH_COUNT: 7.0 };
  const message = { timestamp: "2026-05-01", ...bad, ...good, ...many };
  const second = '{"timestamp":"2026-05-01T01:00Z","SYS_PRESSURE":5}';
  await appliance.publish([
    { kind: "telemetry", payload: `[${JSON.stringify(message)},7,${second}]` },
    {
      kind: "lamps",
      payload: `{${TIME},"lamps":[{"lamp":17,"power":1},3,{"lamp":"2","power":90}]}`,
    },
  ]);
  const [first, next, ...others] = await appliance.json("/api/telemetry/history");
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    ...{ SYS_PRESSURE: 4.5, LDC_WATER_ALARM: true, FLT_BACKFLUSH_COUNT: 7, LAMP_02_POWER: 90 },
    ...{ UVR_INTENSITY: null, SYS_FLOW_RATE: null, FAILED_LAMP_COUNT: null, TAG_255: 255 },
    ...{ SYS_EXTERNAL_FEED: null, location: null, PROCESS_STATE: null, UVR_LEVEL: null },
  });
  expect(Object.keys(first)).toHaveLength(101 + 256);
  expect(next).toMatchObject({ SYS_PRESSURE: 5 });
  const [lamps, telemetry, ...more] = await appliance.quarantine();
  expect(more).toEqual([]);
  for (const name of [...Object.keys(bad).slice(0, 10), "TAG_256", "TAG_257"])
    expect(telemetry.detail).toContain(name);
  expect(lamps.detail).toContain("17");
});

test("half or more of the stored fields differing sets all aside, fewer only those", async () => {
  await using appliance = await startAppliance();
  const send = (fields: object) =>
    appliance.publish([
      { kind: "telemetry", payload: JSON.stringify({ timestamp: "2026-05-01", ...fields }) },
    ]);
  await send({ UVR_INTENSITY: 600, SYS_PRESSURE: 4, SYS_FLOW_RATE: 700, X: "a" });
  // One of three stored fields differs, a fourth is new; null and "" say nothing.
  await send({
    UVR_INTENSITY: 601,
    SYS_PRESSURE: "4,0",
    X: "a",
    PLC_CPU_USAGE: 9,
    SYS_FLOW_RATE: null,
  });
  // One of two: the clock ran through this hour twice.
  await send({ UVR_INTENSITY: 602, SYS_PRESSURE: 4, PLC_RAM_USAGE: 50, SYS_FLOW_RATE: "" });
  // A derived value gives way without conflict, a sent one doesn't.
  await send({ LAMP_01_EFFICIENCY: 80, LAMP_01_STATUS: "ACTIVE" });
  await send({ AVG_LAMP_EFFICIENCY: 77, FAILED_LAMP_COUNT: 3, month: 6 });
  await send({ LAMP_02_EFFICIENCY: 90 });
  expect(await appliance.json("/api/telemetry/history")).toMatchObject([
    {
      ...{ UVR_INTENSITY: 600, SYS_PRESSURE: 4, SYS_FLOW_RATE: 700, X: "a", PLC_CPU_USAGE: 9 },
      ...{ PLC_RAM_USAGE: null, AVG_LAMP_EFFICIENCY: 77, FAILED_LAMP_COUNT: 3, month: 6 },
    },
  ]);
  const entries = await appliance.quarantine();
  expect(entries.map(({ reason }) => reason)).toEqual(["clock_repeat", "conflict"]);
  for (const { detail } of entries) expect(detail).toMatch(/UVR_INTENSITY.*60[12].*600/);
  expect(entries[1].detail).not.toContain("SYS_");
});

test(
  "repetitions are counted, and beyond quarantine.max_bytes only hashes kept",
  LONG,
  async () => {
    const env = { BALLASTD_QUARANTINE_MAX_BYTES: "100" };
    await using appliance = await startAppliance({ env });
    const [one, other] = ["not JSON", "x".repeat(99)];
    const sent = [one, other, one, other, one].map((payload) => ({ kind: "telemetry", payload }));
    await appliance.publish([...sent, { kind: "events", payload: one }]);
    expect(await appliance.quarantine()).toMatchObject([
      { topic: topicOf("events"), count: 1, payload: one },
      { topic: topicOf("telemetry"), count: 2, payload: null, payload_bytes: 99 },
      { topic: topicOf("telemetry"), count: 3, payload: one },
    ]);
    const running = await appliance.quarantine();
    await appliance.program.stop("SIGTERM");
    expect(await appliance.quarantine()).toEqual(running);
    const check = await runProgram({ args: ["check"], folder: appliance.program.folder, env });
    expect(check.stdout).toMatch(
      /^warning +quarantine: 3 entries, 16 B of 100 B: it is full, only hashes are kept of 1$/m,
    );
  },
);

test("nothing that was received can steer the terminal that lists it", async () => {
  await using appliance = await startAppliance();
  const evil = "\u001b[2J\u0007\r\n\t\u009b\u0000\u202eturned\u2028\u200b\u007f \\u0041 é";
  const client = await appliance.connect();
  await client.publishAsync("bwts/\u001b]0;x\u0007/telemetry", evil, { qos: 1 });
  const payload = `{"timestamp":${JSON.stringify(evil)}}`;
  await publishAll(client, [{ kind: "telemetry", payload }]);
  await publishAll(client, [{ kind: "telemetry", payload: Buffer.from([0xff, 0xfe, 0x1b]) }]);
  const { folder } = appliance.program;
  for (const args of [
    ["quarantine", "list"],
    ["quarantine", "list", "--json"],
  ]) {
    const { code, stdout, stderr } = await runProgram({ args, folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toMatch(/[^\P{C}\n]|\p{Zl}|\p{Zp}/u);
    expect(stdout).toContain("é");
  }
  const entries = await appliance.quarantine();
  expect(entries.map((entry) => entry.payload_base64)).toEqual(
    [Buffer.from([0xff, 0xfe, 0x1b]), payload, evil].map((sent) =>
      Buffer.from(sent).toString("base64"),
    ),
  );
  expect(entries.map((entry) => entry.payload).slice(1)).toEqual([payload, evil]);
});

test("a message without a time, delivered again, has no effect; sent again it has", async () => {
  const folder = temporaryFolder();
  const payload = '{"SYS_PRESSURE":4}';
  const nextSecond = () => pause(1010); // times of receipt are whole seconds
  const deliver = async (appliance: Appliance, packet: { packet_id: number; dup: boolean }) => {
    const client = await rawClient(appliance.mqtt_port);
    client.send(connectPacket({ client_id: "plc" }));
    client.send(publishPacket({ topic: topicOf("telemetry"), payload, qos: 1, ...packet }));
    await client.receives(`${CONNACK_ACCEPTED}4002000${packet.packet_id}`);
    client.cut();
    return (await appliance.json("/api/telemetry/history")).length;
  };
  {
    await using appliance = await startAppliance({ folder });
    expect(await deliver(appliance, { packet_id: 1, dup: false })).toBe(1);
    await nextSecond();
    expect(await deliver(appliance, { packet_id: 1, dup: true })).toBe(1);
    expect(await deliver(appliance, { packet_id: 1, dup: false })).toBe(2);
    await nextSecond();
  }
  await using appliance = await startAppliance({ folder });
  expect(await deliver(appliance, { packet_id: 1, dup: true })).toBe(2);
  expect(await deliver(appliance, { packet_id: 2, dup: true })).toBe(3);
  expect(await appliance.quarantine()).toEqual([]);
  await appliance.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});
