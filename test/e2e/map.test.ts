// A ship whose PLC has topics, names and units of its own, through the built program: published by
// Mosquitto's client, read back by the API, and looked at by `ballastd map try`, in both modes.

import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { MANUAL_MAP, MANUAL_MESSAGES } from "../rig/manual-map.ts";
import { type Mosquitto, openMosquitto, runTool } from "../rig/mosquitto.ts";
import { reservePort } from "../rig/port.ts";
import { type Program, runProgram, startProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

let folder: string;
let config: string;
beforeEach(() => {
  folder = temporaryFolder();
  config = path.join(folder, "ballastd.toml");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function publish(port: number, topic: string, payload: string): Promise<void> {
  const options = ["-h", "127.0.0.1", "-p", String(port), "-q", "1", "-t", topic, "-m", payload];
  expect(await runTool("mosquitto_pub", options)).toEqual({ code: 0, output: "" });
}

/** Every reading of the appliance, without what is null or derived. */
async function readings(appliance: Appliance) {
  const all = await appliance.json("/api/telemetry/history?hours=87600");
  return all.map((reading: object) => {
    const { month, system_id, ...said }: Record<string, unknown> = { ...reading };
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  });
}

/** Starts `ballastd map try`, and resolves when it listens. */
async function startTrying(args: readonly string[], env = {}): Promise<Program> {
  const program = startProgram({ args: ["map", "try", "--json", ...args], folder, env });
  await program.waitForOutput(/^messages from /m);
  return program;
}

/** The list that it prints, as far as it has come. */
const shown = (program: Program) => {
  const text = program.stdout();
  return JSON.parse(/\]\n$/.test(text) ? text : `${text || "["}]`);
};

describe("the embedded broker", () => {
  test("takes the manual's example as the manual says", async () => {
    writeFileSync(config, MANUAL_MAP);
    await using appliance = await startAppliance({ folder });
    expect(MANUAL_MESSAGES).toHaveLength(2);
    for (const { topic, payload } of MANUAL_MESSAGES)
      await publish(appliance.mqtt_port, topic, payload);
    expect(await readings(appliance)).toEqual([
      {
        timestamp: "2026-05-01T09:59:30.000Z",
        ...{ FLT_DIFF_PRESSURE: 0.3505, UVR_WATER_TEMP: 30, PROCESS_STATE: "RUNNING" },
        ...{ "PT101.q": 192, "temps.0": 70 },
      },
      { timestamp: expect.any(String), LAMP_07_RUNTIME: 1200.05, timestamp_source: "receipt" },
    ]);
    expect(await appliance.quarantine()).toEqual([]);
  });

  test("merges the tags of many topics into one reading on the grid", async () => {
    const rules = ["UVR_INTENSITY", "SYS_FLOW_RATE", "SYS_PRESSURE"].map(
      (field, tag) => `{ topic = "plc/${tag}", tag = "v", field = "${field}", factor = 10 },`,
    );
    writeFileSync(
      config,
      `[mqtt]\nmerge_ms = 10_000\n[map]\nrule = [\n${rules.join("\n")}\n` +
        '{ topic = "plc/+", tag = "t", field = "timestamp" },\n]\n',
    );
    await using appliance = await startAppliance({ folder });
    for (const number of [2, 0, 1])
      await publish(
        appliance.mqtt_port,
        `plc/${number}`,
        `{"t":"2026-05-01T10:00:0${number}.5Z","v":${number}.1}`,
      );
    await publish(
      appliance.mqtt_port,
      "bwts/BWTS-001/telemetry",
      '{"timestamp":"2026-05-01T10:00:07Z","location":"Kiel"}',
    );
    expect(await readings(appliance)).toEqual([
      {
        timestamp: "2026-05-01T10:00:00.000Z",
        ...{ UVR_INTENSITY: 1, SYS_FLOW_RATE: 11, SYS_PRESSURE: 21, location: "Kiel" },
      },
    ]);
    expect(await appliance.quarantine()).toEqual([]);
  });

  test("keeps in quarantine what came, not what the map made of it", async () => {
    writeFileSync(config, MANUAL_MAP);
    await using appliance = await startAppliance({ folder });
    const payload = '{ "ts": 1777629570, "mode": 9, "PT101": {"value": 350} }';
    await publish(appliance.mqtt_port, "ship/uv1/process", payload);
    await publish(appliance.mqtt_port, "ship/uv2/process", payload);
    expect(await readings(appliance)).toMatchObject([{ FLT_DIFF_PRESSURE: 0.35 }]);
    expect(await appliance.quarantine()).toMatchObject([
      { topic: "ship/uv2/process", reason: "unknown_topic", payload },
      {
        ...{ topic: "ship/uv1/process", reason: "bad_value", payload },
        detail: "PROCESS_STATE (mode): got 9, expected 0, 3",
      },
    ]);
  });

  test("is looked at beside the running instance, by another map than it has", LONG, async () => {
    writeFileSync(config, "# no map\n");
    await using appliance = await startAppliance({ folder });
    const other = path.join(folder, "other.toml");
    writeFileSync(other, MANUAL_MAP);
    await using trying = await startTrying(["--config", other, "--count", "2"]);
    for (const { topic, payload } of MANUAL_MESSAGES)
      await publish(appliance.mqtt_port, topic, payload);
    expect(await trying.ended).toEqual({ code: 0, signal: null });
    const [first, second] = shown(trying);
    expect(first).toMatchObject({
      ...{ topic: "ship/uv1/process", payload: MANUAL_MESSAGES[0].payload, quarantined: [] },
      timestamps: ["2026-05-01T09:59:30.000Z"],
    });
    expect(first.tags).toContainEqual({
      ...{ tag: "PT101.value", given: "350,5", field: "FLT_DIFF_PRESSURE", value: 0.3505 },
      ...{ unit: "bar", remark: null },
    });
    expect(first.tags).toContainEqual({
      ...{ tag: "PT101.q", given: 192, field: "PT101.q", value: 192, unit: null },
      remark: "no rule names it: kept as it is",
    });
    expect(second.tags).toMatchObject([{ tag: "", field: "LAMP_07_RUNTIME", value: 1200.05 }]);
    expect(trying.stderr()).toContain("2 messages\n");
    expect(await readings(appliance)).toEqual([]);
    expect(await appliance.quarantine()).toHaveLength(2);
  });

  test("looked at with no instance running acknowledges nothing", async () => {
    writeFileSync(config, MANUAL_MAP);
    await using trying = await startTrying(["--count", "1"]);
    const [, port] = await trying.waitForOutput(/^messages from 127\.0\.0\.1:(\d+), as no /m);
    const options = ["-h", "127.0.0.1", "-p", port, "-q", "1", "-t", "ship/uv1/lamp/7/minutes"];
    const publishing = runTool("mosquitto_pub", [...options, "-m", "60"]);
    expect(await trying.ended).toEqual({ code: 0, signal: null });
    expect((await publishing).code).not.toBe(0);
    expect(shown(trying)).toMatchObject([{ tags: [{ field: "LAMP_07_RUNTIME", value: 1 }] }]);
    expect(trying.stderr()).toMatch(
      /nothing is acknowledged[\s\S]*1 messages\nrules of which no tag/,
    );
    expect(trying.stderr()).toContain('"PT101.value" on ship/uv1/process');
    expect(trying.stderr()).not.toContain("lamp/XX");
  });
});

describe("the ship's broker", () => {
  let mosquitto: Mosquitto;
  beforeAll(async () => {
    mosquitto = await openMosquitto(null);
  });
  afterAll(() => mosquitto.close());

  function environment() {
    return {
      BALLASTD_MQTT_MODE: "client",
      BALLASTD_MQTT_URL: mosquitto.url,
      BALLASTD_MQTT_CLIENT_ID: path.basename(folder),
    };
  }

  async function startSubscribed(): Promise<Appliance> {
    const appliance = await startAppliance({ folder, env: environment() });
    await appliance.program.waitUntil("the subscription", async () => {
      const { text } = await appliance.get("/readyz");
      return JSON.parse(text).mqtt.connected;
    });
    return appliance;
  }

  const waitForReadings = (appliance: Appliance, count: number) =>
    appliance.program.waitUntil(
      `${count} readings`,
      async () => (await readings(appliance)).length === count,
    );

  test("is asked for the map's topics, and no more for those of an earlier map", LONG, async () => {
    const rule = (topic: string) => `[[map.rule]]\ntopic = "${topic}"\ntag = "v"\nfield = "X"\n`;
    const send = (topic: string, second: number) =>
      publish(mosquitto.port, topic, `{"timestamp":"2026-05-01T10:00:0${second}Z","v":${second}}`);
    writeFileSync(config, rule("plc/one/#"));
    {
      await using appliance = await startSubscribed();
      await send("plc/one/a", 1);
      await waitForReadings(appliance, 1);
    }
    writeFileSync(config, rule("plc/two/+"));
    await using appliance = await startSubscribed();
    await send("plc/one/a", 2);
    await send("plc/two/a", 3);
    await send("bwts/BWTS-001/telemetry", 4);
    await waitForReadings(appliance, 3);
    expect(await readings(appliance)).toMatchObject([{ X: 1 }, { X: 3 }, { v: 4 }]);
    expect(await appliance.quarantine()).toEqual([]);
  });

  test("is looked at by a connection of its own, on any topic", LONG, async () => {
    writeFileSync(config, MANUAL_MAP);
    await using appliance = await startSubscribed();
    await using trying = await startTrying(["--count", "1"], environment());
    await using other = await startTrying(["--count", "1", "--topic", "tank/#"], environment());
    await publish(mosquitto.port, "tank/4", String.raw`{"level":{"m":3.5},"\u001b[2J":1}`);
    for (const { topic, payload } of MANUAL_MESSAGES) await publish(mosquitto.port, topic, payload);
    expect(await trying.ended).toEqual({ code: 0, signal: null });
    expect(await other.ended).toEqual({ code: 0, signal: null });
    expect(shown(trying)).toMatchObject([{ topic: "ship/uv1/process", quarantined: [] }]);
    const [tank] = shown(other);
    expect(tank).toMatchObject({ topic: "tank/4", quarantined: [{ reason: "unknown_topic" }] });
    expect(tank.tags).toMatchObject([
      { tag: "level.m", given: 3.5, field: null, remark: "no rule names this topic" },
      { tag: "\u001b[2J", given: 1, field: null },
    ]);
    expect(other.stdout()).not.toContain("\u001b");
    await waitForReadings(appliance, 2);
    expect(await appliance.quarantine()).toEqual([]);
  });

  test("that can't be reached is said with exit code 69", async () => {
    const BALLASTD_MQTT_URL = `mqtt://127.0.0.1:${(await reservePort()).port}`;
    const env = { ...environment(), BALLASTD_MQTT_URL };
    const { code, stderr } = await runProgram({ args: ["map", "try"], folder, env });
    expect({ code, stderr }).toEqual({
      code: 69,
      stderr: expect.stringMatching(/^ballastd: mqtt:\S+: .*ECONNREFUSED.*\n$/),
    });
  });
});
