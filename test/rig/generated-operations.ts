// Operations made by chance, as lines that the oracle judges as well: cadences from 1 s to 30 min
// that change, odd flows, several breaches, flicker, bypasses, faults, gaps, voids, resets of the
// totaliser, fields that are sent seldom. Their truth is what the oracle says of them.

import type { ReadingRun } from "../../src/bwts/operations/judging.ts";
import type { Value } from "../../src/bwts/reading.ts";
import { indexOfTag } from "../../src/bwts/tags.ts";
import { HOUR_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { believing, LIMITS } from "./operation-plant.ts";
import type { Random } from "./random.ts";

/** Null for what wasn't told; `other` is the totaliser of the other type. */
export type LineReading = readonly [
  at_ms: number,
  state: string | null,
  mode: string | null,
  intensity: number | null,
  flow: number | null,
  total: number | null,
  other: number | null,
];

export interface GeneratedOperation {
  readonly start: number;
  readonly end: number;
  readonly type: "BALLAST" | "DEBALLAST";
  readonly limits: Readonly<
    Record<"uv_imo" | "uv_uscg" | "flow_max_imo" | "flow_max_uscg", number>
  >;
  readonly cadence: number | null;
  readonly voids: readonly (readonly [number, number])[];
  readonly readings: readonly LineReading[];
}

const CADENCES_MS = [1, 2, 5, 10, 30, 60, 180, 180, 180, 600, 1800].map((s) => s * SECOND_MS);

/** Changes a reading while something unusual goes on. */
type Change = (reading: Plain) => void;
interface Plain {
  state: string | null;
  mode: string | null;
  intensity: number | null;
  flow: number | null;
}

export function generatedOperation(random: Random): GeneratedOperation {
  const start =
    Date.UTC(2026, random.between(0, 11), random.between(1, 28)) + random.between(0, 8e7);
  const type = random.chance(0.5) ? "BALLAST" : "DEBALLAST";
  const uv_imo = random.pick([252, 300, 380]);
  const flow_max_imo = random.pick([1000, 850]);
  const limits = {
    ...{ uv_imo, uv_uscg: random.pick([530, 772, uv_imo]), flow_max_imo },
    flow_max_uscg: random.pick([flow_max_imo, 900]),
  };
  const times = timesOf(random, start);
  const whole = readingsAt(random, times, limits);
  const readings = random.chance(0.15) ? inParts(whole, random.pick([5, 300, 900])) : whole;
  const [last] = readings[readings.length - 1];
  const end = last + (random.chance(0.1) ? random.between(0, HOUR_MS) : 0);
  const voids: [number, number][] = [];
  if (random.chance(0.15)) {
    const [from, to] = [random.pick(times), random.pick(times)];
    voids.push(from < to ? [from, to] : [to, from]);
  }
  const cadence = random.chance(0.5) ? null : random.pick(CADENCES_MS);
  return { start, end, type, limits, cadence, voids, readings };
}

/** The same in parts of a scan, so many ms apart. */
function inParts(whole: readonly LineReading[], apart_ms: number): readonly LineReading[] {
  return whole.flatMap(([at_ms, state, mode, intensity, flow, total, other], index) => {
    const next_ms = whole.at(index + 1)?.[0] ?? at_ms + 10 * apart_ms;
    const step_ms = Math.min(apart_ms, Math.floor((next_ms - at_ms) / 5));
    if (step_ms <= 0) return [whole[index]];
    return [
      [at_ms, state, mode, null, null, null, null],
      [at_ms + step_ms, null, null, intensity, null, null, null],
      [at_ms + 2 * step_ms, null, null, null, flow, null, null],
      [at_ms + 3 * step_ms, null, null, null, null, total, other],
    ] as const;
  });
}

/** Times of one cadence or of two, some with jitter, some with gaps. */
function timesOf(random: Random, start: number): readonly number[] {
  const count = random.chance(0.05) ? random.between(1, 6) : random.between(20, 240);
  const jitter = random.chance(0.3) ? 0.4 : 0;
  const changesAt = random.chance(0.2) ? random.between(1, count) : count;
  const gap = random.chance(0.35) ? 3 / count : 0;
  let cadence = random.pick(CADENCES_MS);
  let at = start + (random.chance(0.1) ? random.between(0, 6 * cadence) : 0);
  return Array.from({ length: count }, (_, index) => {
    const time = at;
    if (index === changesAt) cadence = random.pick(CADENCES_MS);
    const wander = 1 + jitter * (random.next() - 0.5);
    const skips = random.chance(gap) ? random.between(2, 12) : 1;
    at += Math.max(1, Math.round(cadence * wander * skips));
    return time;
  });
}

function readingsAt(
  random: Random,
  times: readonly number[],
  limits: GeneratedOperation["limits"],
): readonly LineReading[] {
  const changes = [...changesOf(random, times.length, limits)];
  const usual = random.pick([limits.uv_uscg * 1.1, limits.uv_imo * 1.3, limits.uv_imo * 1.03]);
  const mode = random.pick(["IMO", "IMO", "IMO", "USCG", null]);
  const speed = random.between(100, 840);
  const [seldom, resets] = [random.chance(0.15), random.chance(0.1)];
  const hasTotal = random.chance(0.8);
  // It stands still, isn't told, or rises as if the type were wrong.
  const other = random.pick([1200, 1200, null, null, "rises"] as const);
  const strays = random.chance(0.15) ? 2 / times.length : 0;
  const stands = random.chance(0.08);
  // Without a flow meter; the totaliser sticks for a while, and then leaps or goes on from there.
  const hasMeter = random.chance(0.8);
  const sticks = random.chance(hasMeter ? 0.05 : 0.4) ? random.between(0, times.length) : null;
  const unstuck = sticks === null ? 0 : sticks + random.between(1, times.length);
  const isLeaping = random.chance(0.5);
  let stuck = 0;
  const trembles = random.chance(0.2) ? random.pick([0.6, 2]) : 0;
  // One that isn't fitted is always 0.
  const standing = random.pick([5000, 0]);
  const step = random.pick([0.1, 0.1, 0.1, 1, 10, 25, 50, 100]);
  // It counts to there, and begins at 0 again.
  const end_m3 = random.pick([null, null, null, null, null, 1e5, 6553.6]);
  const [stuckUv, stuckFlow] = [random.chance(0.08), random.chance(0.08)];
  const meter = random.pick([1, 1, 1, 1, 1, 1.05, 1.05, 1.2, 1.2, 1000]);
  // The flow swings though its sensor may be stuck.
  const swing = random.chance(0.1) ? 0.8 : 0;
  const stateLost = random.chance(0.05) ? random.between(0, times.length) : times.length;
  const rest = { warmup: random.between(0, 4), stopping: random.between(0, 3) };
  const begins_m3 = end_m3 === null ? random.between(0, 1e6) : end_m3 - random.between(1, 900);
  let [total, before]: [number, number | null] = [begins_m3, null];
  return times.map((at_ms, index) => {
    const plain: Plain = {
      state: phaseAt(index, times.length, rest),
      mode,
      intensity: tenth(usual + (stuckUv ? 0 : 20 * Math.sin(index / 7))),
      flow: tenth(speed + (stuckFlow ? 0 : 100 * Math.sin(index / 11))),
    };
    for (const { from, to, change } of changes) if (index >= from && index < to) change(plain);
    if (resets && index === times.length >> 1) total = 0;
    const true_m3_h = (plain.flow ?? speed) * (1 + swing * Math.sin(index / 9));
    if (before !== null) total += (meter * true_m3_h * (at_ms - before)) / HOUR_MS;
    before = at_ms;
    if (index === sticks) stuck = total;
    const isStuck = sticks !== null && index >= sticks && index < unstuck;
    if (index === unstuck && !isLeaping) total = stuck;
    const shown = (isStuck ? stuck : total) + trembles * random.next();
    if (!hasMeter) plain.flow = null;
    if (seldom && index % 3 !== 0) plain.intensity = null;
    if ((seldom && index % 5 !== 0) || index > stateLost) [plain.state, plain.mode] = [null, null];
    const told =
      hasTotal && !random.chance(0.02)
        ? tenth((Math.floor(shown / step) * step) % (end_m3 ?? 1e9))
        : null;
    const odd = random.chance(strays) ? random.pick([0, 32767, 4e9, 77]) : null;
    return [
      ...([at_ms, plain.state, plain.mode, plain.intensity, plain.flow] as const),
      ...([odd ?? (stands && told !== null ? standing : told)] as const),
      ...([other === "rises" ? tenth(total) : other] as const),
    ];
  });
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function phaseAt(index: number, count: number, rest: { warmup: number; stopping: number }): string {
  if (index < rest.warmup) return "WARMUP";
  return index >= count - rest.stopping ? "STOPPING" : "RUNNING";
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly change: Change;
}

function* changesOf(
  random: Random,
  count: number,
  limits: GeneratedOperation["limits"],
): Generator<Stretch> {
  for (let left = random.between(0, 5); left > 0; left -= 1) {
    const from = random.between(0, count);
    const to = from + random.between(1, random.pick([1, 2, 4, 40]));
    yield { from, to, change: changeOf(random, limits) };
  }
}

function changeOf(random: Random, { uv_imo, flow_max_imo }: GeneratedOperation["limits"]): Change {
  const low = () => tenth(uv_imo * (0.9 + 0.13 * random.next()));
  return random.pick<Change>([
    (plain) => Object.assign(plain, { intensity: tenth(uv_imo * 0.8) }),
    (plain) => Object.assign(plain, { intensity: low() }),
    (plain) => Object.assign(plain, { intensity: low() }),
    (plain) => Object.assign(plain, { intensity: null }),
    (plain) => Object.assign(plain, { flow: tenth(flow_max_imo * (0.97 + 0.06 * random.next())) }),
    (plain) => Object.assign(plain, { flow: null }),
    (plain) => Object.assign(plain, { state: "BYPASS" }),
    (plain) => Object.assign(plain, { state: "FAULT", flow: random.chance(0.5) ? 0 : 400 }),
    (plain) => Object.assign(plain, { state: random.pick(["MANUAL", "TREATING", "STANDBY"]) }),
    (plain) => Object.assign(plain, { state: random.pick(["WARMUP", "STOPPING", "IDLE", "CIP"]) }),
    (plain) => Object.assign(plain, { intensity: random.pick([32767, 65535, 3.4e38, -12]) }),
    (plain) => Object.assign(plain, { flow: random.pick([32767, -600, 3.4e38, 9000]) }),
    (plain) => Object.assign(plain, { flow: random.pick([0, 15, 45]) }),
    (plain) => Object.assign(plain, { state: "BACKFLUSH" }),
    (plain) => Object.assign(plain, { state: "IDLE", flow: 0 }),
    (plain) => Object.assign(plain, { state: null }),
    (plain) => Object.assign(plain, { mode: null }),
    (plain) => Object.assign(plain, { mode: "USCG" }),
  ]);
}

/** Its limits as configured. */
export const limitsOf = (operation: GeneratedOperation) => ({ ...LIMITS, ...operation.limits });

/** Its readings as runs of columns, of `size` readings. */
export function runsOfLines(operation: GeneratedOperation, size: number): readonly ReadingRun[] {
  const { readings, type } = operation;
  const total = type === "BALLAST" ? "SYS_TOTAL_BALLAST_VOL" : "SYS_TOTAL_DEBALLAST_VOL";
  const other = type === "BALLAST" ? "SYS_TOTAL_DEBALLAST_VOL" : "SYS_TOTAL_BALLAST_VOL";
  const columns = new Map([
    [indexOfTag("PROCESS_STATE"), 1],
    [indexOfTag("COMPLIANCE_MODE"), 2],
    [indexOfTag("UVR_INTENSITY"), 3],
    [indexOfTag("SYS_FLOW_RATE"), 4],
    [indexOfTag(total), 5],
    [indexOfTag(other), 6],
  ]);
  const block = believing({
    at_ms: (index) => readings[index][0],
    received_ms: (index) => readings[index][0],
    clock_trusted: () => true,
    values(tag): (index: number) => Value {
      const column = columns.get(tag);
      return column === undefined ? () => null : (index) => readings[index][column] ?? null;
    },
  });
  const runs: ReadingRun[] = [];
  for (let from = 0; from < readings.length; from += size)
    runs.push({ block, from, to: Math.min(readings.length, from + size) });
  return runs;
}
