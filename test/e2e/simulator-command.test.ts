// `ballastd simulate` as a process: what it publishes, what it says, and how it ends.

import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { HOUR_MS, printTime } from "../../src/ground/clock.ts";
import { EXIT } from "../../src/ground/errors.ts";
import { runProgram, startProgram, temporaryFolder } from "../rig/program.ts";
import { openRecorder } from "../rig/recorder.ts";

test("a story is published to its end, and how much it was is said", async () => {
  await using broker = await openRecorder({ acknowledges: true, password: "secret" });
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "password"), "secret\n");
  const args = [
    ...["simulate", "--url", broker.url, "--story", "B", "--cadence", "60"],
    ...["--system", "BWTS-007", "--prefix", "ship/aft"],
    ...["--username", "plc", "--password-file", "password"],
  ];
  const { code, stdout, stderr } = await runProgram({ args, folder });
  rmSync(folder, { recursive: true });
  expect({ code, stderr }).toEqual({ code: EXIT.ok, stderr: "" });
  expect(stdout).toMatch(/^76 readings and 3 events acknowledged in [\d.]+ s\n$/);
  const telemetry = broker.messages.filter(({ topic }) => topic === "ship/aft/BWTS-007/telemetry");
  const readings = telemetry.flatMap(({ payload }) => JSON.parse(payload));
  expect(readings).toHaveLength(76);
  expect(readings[0]).toMatchObject({ system_id: "BWTS-007", location: "Shanghai" });
});

test("the same seed and anchor give the same readings, from wherever one starts", async () => {
  const published = async (from: string) => {
    await using broker = await openRecorder({ acknowledges: true });
    const options = ["--seed", "7", "--anchor", "2026-01-01", "--to", "2026-01-01", "--from", from];
    const args = ["simulate", "--url", broker.url, "--speed", "max", ...options];
    expect(await runProgram({ args })).toMatchObject({ code: EXIT.ok, stderr: "" });
    const readings = broker.messages.filter(({ topic }) => topic.endsWith("/telemetry"));
    return readings.flatMap(({ payload }) => JSON.parse(payload));
  };
  const long = await published("2025-12-15");
  const short = await published("2025-12-31T22:00Z");
  expect(short).toHaveLength(41);
  expect(long.length).toBeGreaterThan(500);
  expect(long.slice(-short.length)).toEqual(short);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it with 0 and a last line", async (signal) => {
  await using broker = await openRecorder({ acknowledges: true });
  const from = printTime(Date.now() - HOUR_MS);
  const args = ["simulate", "--url", broker.url, "--from", from, "--speed", "36000"];
  await using program = startProgram({ args });
  await program.waitUntil("some messages", () => broker.messages.length > 3);
  expect(await program.stop(signal)).toEqual({ code: EXIT.ok, signal: null });
  expect(program.stdout()).toMatch(/ acknowledged in [\d.]+ s, stopped before the end\n$/);
});

test.each([
  [["--story", "E"], "--story E: expected one of A, B, C, D"],
  [["--speed", "0"], "--speed 0: expected a number from 0.001 to 1000000000"],
  [["--months", "25"], "--months 25: expected an integer from 1 to 24"],
  [["--cadence", "1.5"], "--cadence 1.5: expected an integer from 1 to 86400"],
  [["--from", "yesterday"], "--from yesterday: expected a time such as 2026-05-01T12:00Z"],
  [["--url", "http://x"], "--url: expected mqtt://host:port or mqtts://host:port"],
  [["--password-file", "none"], "--password-file none: it can't be read (ENOENT)"],
  [
    ["--from", "2021-01-01", "--to", "2020-01-01"],
    "--from 2021-01-01T00:00:00.000Z: expected a time before --to, 2020-01-01T00:00:00.000Z",
  ],
  [
    ["--to", "2999-01-01", "--speed", "max"],
    "--to 2999-01-01T00:00:00.000Z: --speed max can't go beyond now",
  ],
])("%j is a usage error of one line", async (options, message) => {
  const { code, stdout, stderr } = await runProgram({ args: ["simulate", ...options] });
  expect({ code, stdout, stderr }).toEqual({
    code: EXIT.usage,
    stdout: "",
    stderr: `ballastd: ${message}\n`,
  });
});
