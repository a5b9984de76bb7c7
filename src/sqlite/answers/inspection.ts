// The facts of the inspection sheet from the database: the operations of twelve months, the newest
// reading, open alerts, and the facts that show how far the data can be trusted.

import type { Inspection } from "../../bwts/documents/inspection.ts";
import { qrRows } from "../../bwts/documents/qr.ts";
import { inspectedPeriod, inspectionSheet, type SheetSource } from "../../bwts/documents/sheet.ts";
import { silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { type LampStatus, lampStatusOf } from "../../bwts/plc-word.ts";
import { isProofOfNothing } from "../../bwts/proof.ts";
import { asNumber, asText } from "../../bwts/reading.ts";
import { indexOfLampTag, indexOfTag, LAMP_NUMBERS } from "../../bwts/tags.ts";
import { DAY_MS, printTime } from "../../ground/clock.ts";
import { presentOperation, presentValuesEnd } from "../derived/gaps.ts";
import { newestValues } from "../derived/newest-values.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, EVER } from "../file/query.ts";
import { storedAlarm } from "../records/alarm-acts.ts";
import { clockProblem, newestReceiptOf } from "../records/clock-trust.ts";
import { givenHeads, newestHead } from "../records/given-heads.ts";
import { limitsInForce } from "../records/limits-in-force.ts";
import { replacedHistories } from "../records/replaced-database.ts";
import { oldestTime } from "../sealed/oldest-time.ts";
import { listVoids } from "../sealed/voids.ts";
import { inspectedOperations } from "./inspected-operations.ts";

export interface InspectionQuery {
  readonly now_ms: number;
  readonly source: SheetSource;
}

export function inspectionJson(db: Connection, asked: InspectionQuery, config: LampConfig): string {
  return JSON.stringify(db.transaction(() => inspectionOf(db, asked, config))());
}

/** The inspection sheet of the present. */
export function inspectionOf(
  db: Connection,
  { now_ms, source }: InspectionQuery,
  { limits }: LampConfig,
): Inspection {
  const period = inspectedPeriod(now_ms);
  return inspectionSheet({
    ...{ now_ms, source, limits },
    ...inspectedOperations(db, period, limits),
    oldest_reading_ms: oldestTime(db),
    ...systemFacts(db, now_ms, limits),
    trust: trustOf(db, period, source),
    limit_history: limitsInForce(db, limits),
  });
}

function systemFacts(db: Connection, now_ms: number, limits: LampConfig["limits"]) {
  const present = presentOperation(db, limits);
  const { newest, cadence_ms, since_ms } = present;
  const malfunctions = malfunctionsOf(db);
  const known = { malfunctions, end_not_reported: notReported(db, now_ms, malfunctions) };
  if (newest === null) {
    const system = { state: null, reading: null, present: false, ...known };
    return { system, hours_since_cip: null, lamps_failed: null, lamps_unknown: null };
  }
  const { values } = newestValues(db, presentValuesEnd(present), since_ms);
  const states = LAMP_NUMBERS.map((_, lamp) => asText(values[indexOfLampTag(lamp, "STATUS")]));
  const isNoneTold = states.every((state) => state === null);
  const lampsThat = (status: LampStatus) =>
    states.flatMap((state, index) => (lampStatusOf(state) === status ? [index + 1] : []));
  return {
    system: {
      state: asText(values[indexOfTag("PROCESS_STATE")]),
      reading: printTime(newest.at_ms),
      present: isPresent(newest, { now_ms, silence_ms: silenceLimit(cadence_ms) }),
      ...known,
    },
    hours_since_cip: asNumber(values[indexOfTag("CIP_HOURS_SINCE_LAST")]),
    lamps_failed: isNoneTold ? null : lampsThat("failed"),
    lamps_unknown: isNoneTold ? null : lampsThat("unknown"),
  };
}

/**
 * True if the newest reading shows the present: it was received recently, and within a day of its
 * own time. A buffered reading is older; the PLC's clock may be hours off.
 */
function isPresent(
  { at_ms, received_ms }: { readonly at_ms: number; readonly received_ms: number },
  { now_ms, silence_ms }: { readonly now_ms: number; readonly silence_ms: number },
): boolean {
  return now_ms - received_ms <= silence_ms && Math.abs(received_ms - at_ms) < DAY_MS;
}

/** Codes of ballastd's own alerts about the treatment itself; all alarms of the plant count. */
const OF_THE_TREATMENT: readonly string[] = [
  ...["UV_BELOW_LIMIT", "FLOW_ABOVE_CERTIFIED", "FILTER_DP_ALARM", "CABINET_TRIP", "LAMP_FAILED"],
];

/** Alerts about the treatment that haven't cleared, among the ALERTS_MAX newest open ones. */
function malfunctionsOf(db: Connection): Inspection["system"]["malfunctions"] {
  const ids = prepare(db, "alarm.newest_open").all({ ...EVER, limit: ALERTS_MAX });
  return ids.flatMap(({ id }) => {
    const row = storedAlarm(db, id);
    if (row === null || row.cleared_ms !== null) return [];
    if (row.source === "ballastd" && !OF_THE_TREATMENT.includes(row.code)) return [];
    return [malfunctionOf(row)];
  });
}

/**
 * Alarms of the treatment system without a reported end, the newest of each code; not of codes that
 * are open.
 */
function notReported(
  db: Connection,
  now_ms: number,
  malfunctions: Inspection["system"]["malfunctions"],
): Inspection["system"]["end_not_reported"] {
  const open = new Set(malfunctions.map(({ code }) => code));
  const ids = prepare(db, "alarm.end_not_reported").all({
    ...inspectedPeriod(now_ms),
    limit: ALERTS_MAX,
  });
  const byCode = new Map<string, Inspection["system"]["malfunctions"][number]>();
  for (const { id } of ids) {
    const row = storedAlarm(db, id);
    if (row === null) continue;
    const one = malfunctionOf(row);
    if (!open.has(one.code) && !byCode.has(one.code)) byCode.set(one.code, one);
  }
  return [...byCode.values()];
}

type StoredMalfunction = Pick<
  NonNullable<ReturnType<typeof storedAlarm>>,
  "source" | "code" | "raised_ms"
>;

const malfunctionOf = ({ source, code, raised_ms }: StoredMalfunction) => ({
  ...{ code: code.slice(0, CODE_MAX), source, since: printTime(raised_ms) },
});

const ALERTS_MAX = 100;
/** Maximum length of a code on the sheet, in characters: the treatment system may send any text. */
const CODE_MAX = 40;
/** Maximum number of clock steps that are counted. */
const STEPS_MAX = 10_000;

function trustOf(db: Connection, period: ClosedRange, { built_ms }: SheetSource) {
  const now_ms = period.end_ms;
  const newest_ms = newestReceiptOf(db);
  const steps = prepare(db, "clock.steps").all({ ...period, limit: STEPS_MAX });
  const proof = prepare(db, "system.job_runs")
    .all({})
    .find(({ job, result }) => job === "proof" && !isProofOfNothing(result));
  const head = newestHead(db);
  return {
    clock: {
      problem: clockProblem(now_ms, { built_ms, newest_ms }),
      steps: steps.length,
      last_step: steps[0] === undefined ? null : printTime(steps[0].at_ms),
    },
    voids: voidsIn(db, period),
    replaced: replacedIn(db, period),
    // A run of the job that proved nothing is no verification.
    verified:
      proof === undefined || NOTHING_PROVEN.test(proof.result)
        ? null
        : { at: printTime(proof.ended_ms), result: proof.result },
    head: head === null ? null : { ...head, qr: qrRows(head.checkpoint) },
    given_out: givenHeads(db, head?.size ?? 0),
  };
}

const NOTHING_PROVEN = /^0 segments /;

function replacedIn(db: Connection, { start_ms }: ClosedRange): Inspection["trust"]["replaced"] {
  return replacedHistories(db)
    .filter(({ at }) => !(Date.parse(at) < start_ms))
    .map(({ number: _, ...told }) => told)
    .reverse();
}

function voidsIn(db: Connection, { start_ms, end_ms }: ClosedRange): Inspection["trust"]["voids"] {
  return listVoids(db)
    .filter((one) => one.what === "readings" && one.end_ms >= start_ms && one.start_ms <= end_ms)
    .map((one) => ({
      ...{ id: one.id, start: printTime(one.start_ms), end: printTime(one.end_ms) },
      ...{ reason: one.reason, undone: one.undone_ms !== null },
    }));
}
