// Operations made by chance are judged as an oracle in Python judges them, which was written from
// the words of docs/operations.md. OPERATIONS says how many.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import type { JudgedOperation } from "../../../../src/bwts/operations/judging.ts";
import { parseTime } from "../../../../src/ground/clock.ts";
import {
  type GeneratedOperation,
  generatedOperation,
  limitsOf,
  runsOfLines,
} from "../../../rig/generated-operations.ts";
import { printedRandom } from "../../../rig/random.ts";
import { sized } from "../../../rig/scale.ts";

const COUNT = Number(process.env.OPERATIONS ?? sized(120, 10_000));
const ORACLE = path.resolve(import.meta.dirname, "../../../oracle/judge_operations.py");

interface Truth {
  readonly verdict: string;
  readonly verdict_with_hidden: string;
  /** Rule, start, end, readings; ascending by these. */
  readonly findings: readonly (readonly [string, number, number, number])[];
  readonly volume_totaliser_m3: number | null;
  readonly volume_flow_m3: number | null;
  readonly volume_m3: number | null;
  /** Time that isn't told, and all time, ms. */
  readonly untold: readonly [number, number];
}

test(`${COUNT} operations made by chance are judged as the rules say`, async () => {
  const random = printedRandom("generated operations");
  const oracle = spawn("python3", [ORACLE], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
  const verdicts = new Map<string, number>();
  for (let index = 0; index < COUNT; index += 1) {
    const operation = generatedOperation(random);
    oracle.stdin.write(`${JSON.stringify(operation)}\n`);
    const found = judgedHere(operation, random.between(1, 300));
    const line = await lines.next();
    const truth: Truth = JSON.parse(String(line.value));
    compare(found, truth, operation, `operation ${index} of the seed`);
    verdicts.set(truth.verdict, (verdicts.get(truth.verdict) ?? 0) + 1);
  }
  oracle.stdin.end();
  await once(oracle, "exit");
  console.log(Object.fromEntries(verdicts));
  // A generator that makes one kind only would prove little.
  expect(verdicts.size).toBe(3);
});

function judgedHere(operation: GeneratedOperation, size: number): JudgedOperation {
  const { start, end, type, voids, cadence } = operation;
  return judged(
    {
      ...{ start_event: 1, stop_event: 2, start_ms: start, end_ms: end, operation_type: type },
      ...{ location: "Busan", known_by: "events", remarks: [] },
      ...{ steady: { start_ms: start, end_ms: end }, isStopDoubted: false },
    },
    runsOfLines(operation, size),
    {
      limits: [{ from_ms: 0, limits: limitsOf(operation) }],
      voids: voids.map(([start_ms, end_ms], id) => ({ id, start_ms, end_ms, reason: "wrong" })),
      ...{
        alerts: [],
        clock_steps: [],
        contradictions: [],
        usualCadence: () => cadence,
        modeBefore: () => null,
        hours_since_cip: null,
      },
    },
  );
}

function compare(
  found: JudgedOperation,
  truth: Truth,
  operation: GeneratedOperation,
  name: string,
): void {
  expect(found.verdict, name).toBe(truth.verdict);
  if (operation.voids.length > 0)
    expect(found.verdict_with_hidden, name).toBe(truth.verdict_with_hidden);
  const reasons = found.reasons
    .filter(({ is_hidden }) => !is_hidden)
    .map(({ rule, start, end, readings }) => [rule, at(start), at(end), readings]);
  const inOrder = (one: readonly unknown[], other: readonly unknown[]) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
  expect(reasons.toSorted(inOrder), name).toEqual([...truth.findings].sort(inOrder));
  const [untold_ms, of_ms] = truth.untold;
  expect(found.not_recorded, name).toEqual({ seconds: untold_ms / 1000, of_seconds: of_ms / 1000 });
  sameVolume(found.volume_totaliser_m3, truth.volume_totaliser_m3, name);
  sameVolume(found.volume_m3, truth.volume_m3, name);
  expect(found.volume_m3 ?? 0, name).toBeGreaterThanOrEqual(0);
  sameVolume(found.volume_flow_m3, truth.volume_flow_m3, name);
  partsAreWhole(found, name);
}

const at = (text: string) => parseTime(text)?.at_ms;

function sameVolume(found_m3: number | null, truth_m3: number | null, name: string): void {
  if (truth_m3 === null || found_m3 === null) expect(found_m3, name).toBe(truth_m3);
  else expect(Math.abs(found_m3 - truth_m3), name).toBeLessThan(within(truth_m3));
}
/** The issue asks for 0.1 %; rounding alone is far below. */
const within = (volume_m3: number) => Math.max(1e-6 * volume_m3, 1e-5);

/** Parts are in order, meet each other, and have the volume of the whole. */
function partsAreWhole({ parts, start, end, volume_m3 }: JudgedOperation, name: string): void {
  if (start === end) return;
  expect([parts[0].start, parts.at(-1)?.end], name).toEqual([start, end]);
  for (const [index, part] of parts.slice(1).entries())
    expect(part.start, name).toBe(parts[index].end);
  if (volume_m3 === null) return;
  const sum_m3 = parts.reduce((sum, part) => sum + (part.volume_m3 ?? 0), 0);
  expect(sum_m3, name).toBeCloseTo(volume_m3, 3);
}
