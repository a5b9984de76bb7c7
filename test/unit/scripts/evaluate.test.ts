// `npm run evaluate` as its users run it, on a fleet small enough for a test.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../../rig/sources.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-evaluate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function evaluate(...options: readonly string[]) {
  const script = path.join(root, "scripts", "evaluate.ts");
  return spawnSync(process.execPath, [script, ...options], { encoding: "utf8" });
}

test("the same seed gives the same scores, another seed others", () => {
  const scores = ["5", "5", "6"].map((seed) => {
    const file = path.join(folder, `${seed}.json`);
    const { status, stdout } = evaluate("--ships", "2", "--seed", seed, "--json", file);
    expect(status).toBe(0);
    expect(stdout).toContain("coverage of the 90 % intervals");
    return JSON.parse(readFileSync(file, "utf8"));
  });
  expect(scores[0].scores).toHaveLength(4);
  expect(scores[1].scores).toEqual(scores[0].scores);
  expect(scores[1].deciles).toEqual(scores[0].deciles);
  expect(scores[2].scores).not.toEqual(scores[0].scores);
});

test("ships over MQTT are scored by what the API answers, and nothing makes no sense", () => {
  const sizes = ["--ships", "2", "--operations", "24", "--times", "2", "--seed", "9"];
  const file = path.join(folder, "over-mqtt.json");
  const { status, stdout, stderr } = evaluate("--over-mqtt", ...sizes, "--json", file);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const share = /^Over MQTT: \d+ forecasts, (\S+) % with the run-hours of the lamp$/m.exec(stdout);
  expect(Number(share?.[1])).toBeGreaterThan(95);
  const { cases, scores } = JSON.parse(readFileSync(file, "utf8"));
  expect(cases).toBeGreaterThan(50);
  expect(scores.find(({ name }: { name: string }) => /coverage/.test(name)).value).toBeGreaterThan(
    0.8,
  );
});

test("a wrong option is named with what is allowed", () => {
  const { status, stderr } = evaluate("--ships", "1");
  expect(status).toBe(2);
  expect(stderr).toContain("--ships: got 1, expected 2 to 1000");
});
