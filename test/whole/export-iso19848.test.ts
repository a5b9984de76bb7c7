// Packages of ISO 19848 of the built program: a schema of their form, which holds in our own words
// what the public one of DNV says, and every value against NDJSON.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { CHANNELS_CHANGED } from "../../src/bwts/data-channels.ts";
import type { Appliance } from "../oracle/appliance.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { applianceWith, trickyReadings } from "../rig/tricky-readings.ts";

const random = printedRandom("export-iso19848");
// More than are sealed together, so that both sealed and hot ones are among them.
const readings = trickyReadings(random, 2200);
let appliance: Appliance;
beforeAll(async () => {
  appliance = await applianceWith(readings);
});
afterAll(() => appliance[Symbol.asyncDispose]());

const text = z.string();
const time = z.iso.datetime({ precision: 3 });
const reference = z.strictObject({ ID: text, TimeStamp: z.iso.datetime() });
const dataSet = z
  .strictObject({ TimeStamp: time, Value: z.array(text), Quality: z.array(text).optional() })
  .refine(({ Value, Quality }) => Quality === undefined || Quality.length === Value.length);
const tabularData = z
  .strictObject({
    DataChannelID: z.array(text),
    DataSet: z.array(dataSet).min(1),
    NumberOfDataSet: z.int(),
    NumberOfDataChannel: z.int().min(1),
  })
  .refine(({ NumberOfDataSet, DataSet }) => NumberOfDataSet === DataSet.length)
  .refine(({ NumberOfDataChannel, DataChannelID }) => NumberOfDataChannel === DataChannelID.length)
  .refine(({ DataChannelID, DataSet }) =>
    DataSet.every(({ Value }) => Value.length === DataChannelID.length),
  );
const Package = z.strictObject({
  Package: z.strictObject({
    Header: z.strictObject({
      ShipID: text.min(1),
      TimeSpan: z.strictObject({ Start: time, End: time }).optional(),
      Author: text,
    }),
    TimeSeriesData: z.tuple([
      z.strictObject({ DataConfiguration: reference, TabularData: z.array(tabularData) }),
    ]),
  }),
});

// The words of VIS 3-11a that the names use; what isn't among them has a tilde.
const WORDS =
  "identifier port.name time relative.power temperature rotational.frequency text factor number " +
  "differential.pressure volume.flow.rate pressure opening.ratio volume duration percentage " +
  "efficiency running.time electric.power utc.date.time sea.water air water corrected " +
  "accumulated mean count estimate operational.state running.state alarm active failure valid " +
  "set.point";
const TAG = new RegExp(
  `^((qty|cnt|calc|state|type)-(${WORDS.replaceAll(".", "\\.").replaceAll(" ", "|")})` +
    "|(qty|state)~[a-z.]+|pos-([1-9]|1[0-6])|detail-[a-z.]+)$",
);
const LocalID = text
  .regex(/^\/dnv-v2\/vis-3-11a\/652\.5\/S271(\.1\/S90\.3\/S61|\.2\/S27[34]|\.5\/I101)?\/meta\/./)
  .refine((id) =>
    id
      .split("/meta/")[1]
      .split("/")
      .every((tag) => TAG.test(tag)),
  )
  .refine((id) => {
    const prefixes = id
      .split("/meta/")[1]
      .split("/")
      .map((tag) => tag.replace(/[-~].*/, ""));
    return ORDER.filter((prefix) => prefixes.includes(prefix)).join() === prefixes.join();
  });
const ORDER = ["qty", "cnt", "calc", "state", "cmd", "type", "pos", "detail"];

const FORMATS = ["Decimal", "Integer", "Boolean", "String", "DateTime"] as const;
const ChannelList = z.strictObject({
  Package: z.strictObject({
    Header: z.strictObject({
      ShipID: text,
      DataChannelListID: reference,
      VersionInformation: z.strictObject({
        ...{
          NamingRule: z.literal("dnv"),
          NamingSchemeVersion: z.literal("v2"),
          ReferenceURL: text,
        },
      }),
      Author: text,
    }),
    DataChannelList: z.strictObject({
      DataChannel: z.array(
        z.strictObject({
          DataChannelID: z.strictObject({ LocalID, ShortID: text }),
          Property: z.strictObject({
            DataChannelType: z.strictObject({
              Type: z.enum(["Inst", "Calculated", "SetPoint", "Status", "Alert"]),
            }),
            Format: z.strictObject({ Type: z.enum(FORMATS) }),
            Unit: z.strictObject({ UnitSymbol: text.min(1) }).optional(),
            QualityCoding: z.literal("OPC_QUALITY"),
            Name: text.min(1),
          }),
        }),
      ),
    }),
  }),
});

function exportWith(...args: readonly string[]) {
  return runProgram({ args: ["export", ...args], folder: appliance.program.folder });
}

async function channels() {
  const { stdout, stderr, code } = await exportWith("channels");
  expect([code, stderr]).toEqual([0, ""]);
  const list = ChannelList.parse(JSON.parse(stdout));
  return { stdout, list, channel: list.Package.DataChannelList.DataChannel };
}

/** The data sets of a package, each as its values by channel. */
function setsOf(stdout: string) {
  const [series] = Package.parse(JSON.parse(stdout)).Package.TimeSeriesData;
  return series.TabularData.flatMap(({ DataChannelID, DataSet }) =>
    DataSet.map(({ TimeStamp, Value, Quality = [] }) => ({
      time: TimeStamp,
      quality: new Set(Quality),
      values: new Map(DataChannelID.map((id, index) => [id, Value[index]])),
    })),
  );
}

/** The value that a text stands for; undefined if it isn't of its format. */
function meantBy(given: string, format: (typeof FORMATS)[number] | undefined): unknown {
  switch (format) {
    case "Decimal":
      return /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : undefined;
    case "Integer":
      return /^-?\d+$/.test(given) ? Number(given) : undefined;
    case "Boolean":
      return given === "true" || given === "false" ? given === "true" : undefined;
    case "DateTime":
      return time.safeParse(given).data;
    default:
      return given;
  }
}

test("a package has every value of NDJSON, and no others", async () => {
  const { stdout, stderr, code } = await exportWith("--format", "iso19848");
  expect([code, stderr]).toEqual([0, `exported ${readings.length} readings\n`]);
  const formats = new Map(
    (await channels()).channel.map((one) => [one.DataChannelID.ShortID, one.Property.Format.Type]),
  );
  const columns = [...formats.keys()].filter((name) => name !== "voided");
  const lines = (await exportWith("--format", "ndjson", "--columns", columns.join())).stdout
    .split("\n")
    .slice(0, -1)
    .map((line): Record<string, unknown> => JSON.parse(line));
  const sets = setsOf(stdout);
  expect(sets.map(({ time }) => time)).toEqual(readings.map(({ timestamp }) => timestamp));
  const differing = sets.flatMap(({ time, values }, index) => {
    const { timestamp: _timestamp, extra = {}, ...members } = lines[index];
    const told = Object.entries(members).filter(([name]) => formats.has(name));
    const tags = Object.entries(members).filter(([name]) => !formats.has(name));
    const given = [...values].filter(([name]) => name !== "extra");
    expect(given.map(([name]) => name).sort()).toEqual(told.map(([name]) => name).sort());
    expect(JSON.parse(values.get("extra") ?? "{}")).toEqual({
      ...Object.fromEntries(tags),
      ...Object(extra),
    });
    return given
      .filter(([name, value]) => !Object.is(meantBy(value, formats.get(name)), members[name]))
      .map(([name, value]) => `${time} ${name}: ${value}, ${members[name]}`);
  });
  expect(differing).toEqual([]);
  // A time of an untrusted clock is uncertain; nothing is said of the others.
  const qualities = lines.map(({ clock_trusted }) => (clock_trusted === true ? [] : ["64"]));
  expect(sets.map(({ quality }) => [...quality])).toEqual(qualities);
  const { Header } = Package.parse(JSON.parse(stdout)).Package;
  expect([Header.ShipID, Header.TimeSpan]).toEqual([
    "BWTS-001",
    { Start: readings[0].timestamp, End: readings.at(-1)?.timestamp },
  ]);
  expect((await exportWith("--format", "iso19848", "--output", "again.json")).code).toBe(0);
  const again = readFileSync(path.join(appliance.program.folder, "again.json"), "utf8");
  expect(again === stdout).toBe(true);
});

test("over HTTP it is the same, and its size is told before", async () => {
  const url = `${appliance.url}/export/telemetry?format=iso19848`;
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { stdout } = await exportWith("--format", "iso19848");
  expect(bytes.equals(Buffer.from(stdout))).toBe(true);
  expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("Content-Disposition")).toBe(
    'attachment; filename="BWTS-001-telemetry.iso19848.json"',
  );
  const size = await (await fetch(url.replace("telemetry?", "estimate?"))).json();
  expect(size).toMatchObject({ rows: readings.length, exact: false });
  expect(Math.abs(size.bytes - bytes.length) / bytes.length).toBeLessThan(0.2);
  const short = `&endDate=${readings[300].timestamp}`;
  const part = await (await fetch(`${url}${short}`)).text();
  expect(await (await fetch(`${url.replace("telemetry?", "estimate?")}${short}`)).json()).toEqual({
    ...{ rows: 301, measured_rows: 301, bytes: Buffer.byteLength(part), exact: true },
  });
});

test("the channel list names each column once, and changes only with its time", async () => {
  const { stdout, list, channel } = await channels();
  const ids = channel.map(({ DataChannelID }) => DataChannelID.LocalID);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await (await fetch(`${appliance.url}/export/channels`)).text()).toBe(stdout);
  const [series] = Package.parse(
    JSON.parse((await exportWith("--format", "iso19848", "--to", "2020-01-01")).stdout),
  ).Package.TimeSeriesData;
  expect(series).toEqual({
    DataConfiguration: list.Package.Header.DataChannelListID,
    TabularData: [],
  });
  // A change of a channel sets CHANNELS_CHANGED to the present, and this line after it.
  const hash = createHash("sha256").update(JSON.stringify(channel)).digest("hex").slice(0, 16);
  expect([CHANNELS_CHANGED, hash]).toEqual(["2026-11-23T04:30:00Z", "81d8ac1f9b43aef3"]);
});

test("columns, hidden readings and a ship's number are in it as asked", async () => {
  const asked = ["--format", "iso19848", "--columns", "location,clock_trusted", "--with-voided"];
  const env = { BALLASTD_SYSTEM_IMO: "9074729" };
  const args = ["export", ...asked, "--to", readings[9].timestamp];
  const { stdout } = await runProgram({ args, env, folder: appliance.program.folder });
  const sets = setsOf(stdout);
  expect(sets).toHaveLength(10);
  expect(sets.map(({ values }) => values.get("voided"))).toEqual(sets.map(() => "false"));
  expect(Package.parse(JSON.parse(stdout)).Package.Header.ShipID).toBe("IMO9074729");
});

test("readings without a column that is asked for are left out, hidden ones are bad", async () => {
  const { stdout } = await exportWith("--format", "iso19848", "--columns", "extra");
  const given = (await exportWith("--columns", "extra")).stdout.match(/,"?\{.*\r\n/g) ?? [];
  expect(setsOf(stdout)).toHaveLength(given.length);
  expect(given.length).toBeLessThan(readings.length);
  const [from, to] = [readings[20].timestamp, readings[24].timestamp];
  const { folder } = appliance.program;
  const args = ["void", "--from", String(from), "--to", String(to), "--reason", "probe out"];
  expect((await runProgram({ args, folder })).code).toBe(0);
  const asked = ["--columns", "location", "--with-voided", "--from", String(from)];
  const sets = setsOf((await exportWith("--format", "iso19848", ...asked)).stdout);
  const bad = sets.filter(({ quality }) => quality.has("0"));
  expect(bad.map(({ time }) => time)).toEqual(readings.slice(20, 25).map((one) => one.timestamp));
  expect(bad.every(({ quality }) => quality.size === 1)).toBe(true);
});

test.each([
  [["events", "--format", "iso19848"], "events: can't be iso19848, expected csv or ndjson"],
  [["channels", "--format", "csv"], "--format: expected none with channels"],
  [["channels", "--from", "2026-01-01"], "--from: expected none with channels"],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await exportWith(...args);
  expect([code, stderr]).toEqual([2, `ballastd: ${message}\n`]);
});
