// `npm run evaluate` as its users run it, on a fleet small enough for a test.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { sized } from "../rig/scale.ts";
import { root } from "../rig/sources.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-evaluate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function evaluate(...options: readonly string[]) {
  const script = path.join(root, "scripts", "evaluate.ts");
  return spawnSync(process.execPath, [script, ...options], { encoding: "utf8" });
}

test("a fleet has scores for each family and slice, in tables and as JSON", () => {
  const file = path.join(folder, "fleet.json");
  const { status, stdout } = evaluate("--ships", "2", "--seed", "5", "--json", file);
  expect(status).toBe(0);
  expect(stdout).toContain("| score | worst family | goal | all ships | goal | knows nearly all |");
  const { all, families, slices } = JSON.parse(readFileSync(file, "utf8"));
  expect(all).toMatchObject({ ships: 2, answered: 1 });
  expect(families.map(({ name }: { name: string }) => name)).toEqual([
    "a power law",
    "b exponential",
  ]);
  const months = slices.slice(0, 3).map(({ name }: { name: string }) => name);
  expect(months).toEqual(["6 months", "12 months", "22 months"]);
});

test("ships over MQTT are scored by what the API answers, and nothing makes no sense", () => {
  const operations = sized("14", "24");
  const sizes = ["--ships", "2", "--operations", operations, "--times", "2", "--seed", "9"];
  const file = path.join(folder, "over-mqtt.json");
  const { status, stdout, stderr } = evaluate("--over-mqtt", ...sizes, "--json", file);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const share = /^Over MQTT: \d+ forecasts, (\S+) % with the run-hours of the lamp$/m.exec(stdout);
  expect(Number(share?.[1])).toBeGreaterThan(95);
  const { cases, scores } = JSON.parse(readFileSync(file, "utf8"));
  expect(cases).toBeGreaterThan(50);
  expect(scores.coverage.value).toBeGreaterThan(0.6);
});

test("a wrong option is named with what is allowed", () => {
  const { status, stderr } = evaluate("--ships", "1");
  expect(status).toBe(2);
  expect(stderr).toContain("--ships: got 1, expected 2 to 5000");
});
