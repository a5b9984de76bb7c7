// Values that aren't believed through the built program: a broken wire, a bad quality, a span from
// the configuration. Raw answers have them as they came; everything computed has none, and says so.

import { readFileSync } from "node:fs";
import { test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openValidator } from "../rig/http-validator.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const test = single.concurrent;

const FLT_MAX = 3.4028234663852886e38;
const at = (seconds_ago: number) => new Date(Date.now() - 1000 * seconds_ago).toISOString();

/** A reading each ten seconds up to now; `odd` gives what differs from a sound one. */
async function publish(appliance: Appliance, odd: (index: number) => object): Promise<void> {
  const readings = Array.from({ length: 30 }, (_, index) => ({
    timestamp: at(10 * (29 - index)),
    ...{ PROCESS_STATE: "RUNNING", operation_type: "BALLAST", COMPLIANCE_MODE: "IMO" },
    ...{ UVR_INTENSITY: 600, SYS_FLOW_RATE: 500, UVR_WATER_TEMP: 12, LDC_AIR_TEMP: 30 },
    ...odd(index),
  }));
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(readings) }]);
}

const codes = async (appliance: Appliance) =>
  (await appliance.json("/api/alarms")).map(({ code }: { readonly code: string }) => code);

async function metric({ url }: Appliance, name: string): Promise<string | null> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? null;
}

test("a wire break is answered as it came, and is nowhere a good number", async ({ expect }) => {
  const folder = temporaryFolder();
  await using appliance = await startAppliance({ folder });
  const validator = openValidator(await appliance.json("/openapi.json"));
  await publish(appliance, () => ({ UVR_INTENSITY: 32767, LAMP_03_POWER: 65535 }));

  expect(await appliance.json("/api/telemetry/latest")).toMatchObject({ UVR_INTENSITY: 32767 });
  const { status, text } = await appliance.get("/api/overview");
  const answered = { method: "GET", path: "/api/overview", status, type: "application/json" };
  expect(validator.answerProblems({ ...answered, body: text })).toBeNull();
  const overview = JSON.parse(text);
  expect(overview.reading.values.UVR_INTENSITY).toBeNull();
  expect(overview.reading.doubted).toEqual({
    UVR_INTENSITY: { value: 32767, reason: "implausible" },
    LAMP_03_POWER: { value: 65535, reason: "implausible" },
  });
  expect(overview.verdict).toBe("not_judged");
  expect(overview.lamps[2].power_w).toBeNull();
  expect((await appliance.json("/api/stats")).monthlyAvg).toMatchObject({
    ...{ avgUVIntensity: null, avgFlowRate: 500 },
  });
  // Trends draws these at a close zoom.
  const range = `startDate=${at(400)}&endDate=${at(-60)}&fields=UVR_INTENSITY,SYS_FLOW_RATE`;
  const drawn = await appliance.json(`/api/telemetry/chunked?${range}&believed=true`);
  expect(drawn.data).toHaveLength(30);
  expect(drawn.data.at(-1)).toMatchObject({ UVR_INTENSITY: null, SYS_FLOW_RATE: 500 });
  const raw = await appliance.json(`/api/telemetry/chunked?${range}`);
  expect(raw.data.at(-1)).toMatchObject({ UVR_INTENSITY: 32767 });
  const hours = await appliance.json("/api/telemetry/aggregated?interval=day");
  expect(hours.at(-1)).toMatchObject({ UVR_INTENSITY: null, SYS_FLOW_RATE: 500 });
  const name = "ballastd_uv_intensity_watts_per_square_meter";
  expect(await metric(appliance, name)).toBeNull();
  expect(await metric(appliance, "ballastd_flow_cubic_meters_per_second")).not.toBeNull();

  await expect.poll(() => codes(appliance)).toContain("SENSOR_IMPLAUSIBLE");
  await expect.poll(async () => (await codes(appliance)).length).toBe(2);
  expect(await appliance.json("/api/alarms")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ code: "SENSOR_IMPLAUSIBLE", parameter: "UVR_INTENSITY", value: 32767 },
        description: expect.stringContaining(
          "UVR_INTENSITY: 32767 W/m2 can't be, plausible is 0 to 5000 W/m2",
        ),
      }),
      expect.objectContaining({ parameter: "LAMP_XX_POWER", value: 65535 }),
    ]),
  );
  const { stdout } = await runProgram({ args: ["check"], folder });
  expect(stdout).toMatch(/^warning +sensors: .*UVR_INTENSITY \(30\), LAMP_03_POWER \(30\)$/m);
});

test("a bad quality of several fields is one alert", async ({ expect }) => {
  await using appliance = await startAppliance();
  await publish(appliance, (index) => ({
    UVR_INTENSITY: index < 28 ? 600 : 0,
    "UVR_INTENSITY.q": index < 28,
    SYS_FLOW_RATE: { v: 500, q: index < 28 ? 192 : 515 },
  }));
  await expect.poll(() => codes(appliance)).toEqual(["SENSOR_BAD_QUALITY"]);
  const { reading } = await appliance.json("/api/overview");
  expect(reading.doubted).toEqual({
    UVR_INTENSITY: { value: 0, reason: "bad_quality" },
    SYS_FLOW_RATE: { value: 500, reason: "bad_quality" },
  });
});

test("an export names the fields that aren't believed, and its lines are those of before", async ({
  expect,
}) => {
  await using appliance = await startAppliance();
  await publish(appliance, (index) => (index === 3 ? { UVR_INTENSITY: FLT_MAX } : {}));
  const { text: csv } = await appliance.get("/export/telemetry?format=csv");
  const [head, ...rows] = csv.trim().split("\r\n");
  expect(head).toMatch(/,extra,not_believed$/);
  expect(rows.filter((row) => row.endsWith(",UVR_INTENSITY"))).toEqual([rows[3]]);
  const { text: lines } = await appliance.get("/export/telemetry?format=ndjson");
  expect(lines).not.toContain("not_believed");
  const named = "/export/telemetry?format=ndjson&columns=UVR_INTENSITY,not_believed";
  const { text: marked } = await appliance.get(named);
  expect(JSON.parse(marked.split("\n")[3])).toMatchObject({
    ...{ UVR_INTENSITY: FLT_MAX, not_believed: "UVR_INTENSITY" },
  });
});

test("a CSV with the column is imported, and exported again the same", LONG, async ({ expect }) => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  {
    await using appliance = await startAppliance({ folder: one });
    await publish(appliance, (index) => (index === 3 ? { UVR_INTENSITY: 65535 } : {}));
  }
  const file = `${one}/readings.csv`;
  const typed = (folder: string, ...args: string[]) => runProgram({ args, folder });
  await typed(one, "export", "telemetry", "--output", file);
  expect(await typed(other, "import", file)).toMatchObject({ code: 0 });
  const again = `${other}/again.csv`;
  await typed(other, "export", "telemetry", "--output", again);
  expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"));
  expect(readFileSync(again, "utf8")).toContain(",UVR_INTENSITY\r\n");
});

test("a span of the configuration counts, and a bad one ends the start in words", async ({
  expect,
}) => {
  const env = {
    BALLASTD_SENSORS_SPANS: "UVR_INTENSITY 0 550, LAMP_XX_POWER 0 900",
    BALLASTD_LIMITS_FLOW_MAX_IMO: "500",
  };
  await using appliance = await startAppliance({ env });
  await publish(appliance, () => ({ LAMP_16_POWER: 1000 }));
  const { reading } = await appliance.json("/api/overview");
  expect(Object.keys(reading.doubted)).toEqual(["UVR_INTENSITY", "LAMP_16_POWER"]);
  const tags: readonly { name: string; span: unknown }[] = await appliance.json("/api/tags");
  const spans = new Map(tags.map(({ name, span }) => [name, span]));
  expect(spans.get("UVR_INTENSITY")).toEqual([0, 550]);
  expect(spans.get("LAMP_07_POWER")).toEqual([0, 900]);
  expect(spans.get("SYS_FLOW_RATE")).toEqual([0, 1500]);
  expect(spans.get("PROCESS_STATE")).toBeNull();
  for (const [spans, words] of [
    ["UV_INTENSITY 0 5", "has UV_INTENSITY, expected a field"],
    ["PROCESS_STATE 0 5", "which is a string, expected a number's field"],
    ["UVR_INTENSITY 5 0", "expected the lower end first"],
    ["UVR_INTENSITY 0 5,UVR_INTENSITY 0 6", "has UVR_INTENSITY twice, expected it once"],
    ["UVR_INTENSITY", "expected a field and its lowest and highest value"],
  ]) {
    const refused = await runProgram({
      args: ["serve"],
      folder: temporaryFolder(),
      env: { BALLASTD_SENSORS_SPANS: spans },
    });
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining(words)]);
  }
});

test("check lists tags that look like fields, and readings without a time", async ({ expect }) => {
  const folder = temporaryFolder();
  await using appliance = await startAppliance({ folder });
  const found = async () => {
    const { stdout, code } = await runProgram({ args: ["check"], folder });
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    return ["fields", "times"].map((what) => lines.find((line) => line.includes(` ${what}: `)));
  };
  await publish(appliance, () => ({ "UVR_INTENSITY.q": true, TANK_2P: 1 }));
  expect(await found()).toEqual([
    expect.stringMatching(/^ok .*no unknown tag looks like a field$/),
    expect.stringMatching(/^ok .*no readings without a time of their own in the last day$/),
  ]);
  await publish(appliance, () => ({
    UV_INTENSITY: 600,
    "UVR_INTENSITY.q": false,
    lamp_1_power: 3,
  }));
  await appliance.publish([{ kind: "telemetry", payload: '{"SYS_PRESSURE":2}' }]);
  const [fields, times] = await found();
  expect(fields).toMatch(/^warning .*unknown tags look like fields: /);
  expect(fields).toContain("UV_INTENSITY (UVR_INTENSITY?)");
  expect(fields).toContain("lamp_1_power (LAMP_01_POWER?)");
  expect(fields).not.toMatch(/quality|\.q|TANK/);
  expect(times).toMatch(/^warning .*1 of 6\d readings of the last day have no time of their own/);
});
