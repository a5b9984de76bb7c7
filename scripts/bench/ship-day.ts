// A ship's data on a slow line: the bytes of TLS of a ship-day at 1 Hz and at a reading every
// 3 minutes, the overhead over the segments' bytes, how long 30 days take, and how soon an alert is
// ashore meanwhile. Days that are drained are fewer than 30: the rate is that of the steady part,
// without connection and slow start. A day has 144 reports, of which the one that is sent is
// counted so many times.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { type Rig, removeFolders } from "../../test/rig/database.ts";
import { messageOf } from "../../test/rig/decoding.ts";
import type { FleetRig } from "../../test/rig/fleet-rig.ts";
import { judgeOperations } from "../../test/rig/fleet-verdicts.ts";
import { grownHead } from "../../test/rig/ledger-signer.ts";
import { CLEAR, openProxy } from "../../test/rig/proxy.ts";
import { shipAboard } from "../../test/rig/ship-links.ts";
import { openBox } from "../../test/rig/shore-rig.ts";
import { until } from "../../test/rig/until.ts";
import type { FleetRow } from "./fleet-rows.ts";

/** 23.9 h at 1 Hz. */
const DAY = { segments: 42, readings: 2048, cadence_ms: SECOND_MS };
const SLOW_DAY = { segments: 1, readings: 480, cadence_ms: 3 * MINUTE_MS };
const REPORTS = 144;
/** Operations of a busy day; each ends with a verdict and a signed head. */
const OPERATIONS = 4;
/** Arguments, framing and TLS of a report beside its body. */
const REPORT_FRAME_BYTES = 130;
const DAYS = 30;

interface Line {
  readonly imo: string;
  readonly name: string;
  readonly bytes_per_s: number;
  readonly delay_ms: number;
}
const LINES: readonly (Line & { readonly segments: number; readonly goal: string })[] = [
  {
    imo: "9434761",
    name: "1 Mbit/s, 600 ms",
    bytes_per_s: 125_000,
    delay_ms: 300,
    segments: 3 * DAY.segments,
    goal: "11.5 min; 1 %",
  },
  {
    imo: "9619907",
    name: "64 kbit/s, 600 ms",
    bytes_per_s: 8000,
    delay_ms: 300,
    segments: 14,
    goal: "175 min; 1 %",
  },
];

const wholeDay = ({ segments, readings, cadence_ms }: typeof DAY) =>
  DAY_MS / (segments * readings * cadence_ms);

export async function measureShipDay(fleet: FleetRig): Promise<readonly FleetRow[]> {
  const rows: FleetRow[] = [];
  const [fast] = LINES;
  for (const [imo, day, cadence, goal] of [
    ["9395044", DAY, "1 Hz", "2,750 KB; 150 KB"],
    ["9305879", SLOW_DAY, "a reading every 3 min", ""],
  ] as const) {
    const judged = { imo, sailed: day, line: fast, operations: OPERATIONS };
    const { up, raw, report } = await drained(fleet, judged);
    const reports = (REPORTS - 1) * (report + REPORT_FRAME_BYTES);
    const whole = wholeDay(day);
    const kb = (bytes: number) => ((bytes * whole) / 1000).toFixed(0);
    rows.push({
      what:
        `TLS bytes up a ship-day, ${cadence}, with ${OPERATIONS} verdicts and heads; ` +
        "of it all but segments",
      goal,
      measured: `${kb(up + reports)} KB; ${kb(up - raw + reports)} KB`,
    });
  }
  return rows;
}

export async function measureDrains(fleet: FleetRig): Promise<readonly FleetRow[]> {
  const rows: FleetRow[] = [];
  for (const line of LINES) {
    const sailed = { ...DAY, segments: line.segments };
    const { steady, up, raw, alert_ms } = await drained(fleet, { imo: line.imo, sailed, line });
    const month_bytes = (raw / line.segments) * DAY.segments * wholeDay(DAY) * DAYS;
    const minutes = (month_bytes / steady.bytes_per_ms / MINUTE_MS).toFixed(1);
    const overhead = (100 * (up / raw - 1)).toFixed(2);
    rows.push(
      {
        what:
          `${DAYS} days at ${line.name}, by the steady part of ${line.segments} segments; ` +
          "bytes beside the segments, all else included",
        goal: line.goal,
        measured: `${minutes} min; ${overhead} %`,
      },
      {
        what: `an alert ashore during the drain at ${line.name}`,
        goal: "20 s",
        measured: `${(alert_ms / SECOND_MS).toFixed(1)} s`,
      },
    );
  }
  return rows;
}

interface Drained {
  readonly imo: string;
  readonly sailed: typeof DAY;
  readonly line: Line;
  readonly operations?: number;
}

/** Sends all of a ship, with an alert in the middle. */
async function drained(fleet: FleetRig, { imo, sailed, line, operations = 0 }: Drained) {
  const rig = shipAboard({ seed: 1, ...sailed });
  for (let id = 1; id <= operations; id += 1) {
    judgeOperations(rig, [{ id, because: "the operation ended" }]);
    await grownHead(rig, 1);
  }
  // As the writer does when an hour's readings are stored.
  rig.db.exec(`insert or replace into shore_hour (start_ms, revision)
    select start_ms, row_number() over (order by start_ms) from bucket where interval = 'hour'`);
  const proxy = await openProxy({ port: fleet.port });
  proxy.set({ up: { ...CLEAR, ...line }, down: { ...CLEAR, delay_ms: line.delay_ms } });
  const number = async (text: string) => Number(await fleet.psql(text));
  const box = openBox(rig, await fleet.add(imo), { port: proxy.port });
  const payloads = `from fleet.link
    where ship = '${imo}' and chain = 'segment' and payload is not null`;
  const untilAshore = async (count: number) => {
    const counted = `select count(*) ${payloads}`;
    await until(`${count} payloads`, async () => (await number(counted)) >= count);
    const raw = await number(`select sum(octet_length(body) + octet_length(payload)) ${payloads}`);
    return { at_ms: performance.now(), up: proxy.sentUp_bytes(), raw };
  };
  try {
    const begun = await untilAshore(Math.ceil(sailed.segments / 4));
    const alert_ms = await alertAshore(rig, () =>
      number(`select count(*) from fleet.document
        where ship = '${imo}' and kind = 'alarm' and body ->> 'code' = '${ALERT}'`),
    );
    const ledger = "kind in ('head', 'verdict')";
    const said = `select count(*) from fleet.document where ship = '${imo}' and ${ledger}`;
    const hours = `select count(*) from fleet.document where ship = '${imo}' and kind = 'hour'`;
    const sealed_h = (sailed.segments * sailed.readings * sailed.cadence_ms) / HOUR_MS;
    await until("the hours", async () => (await number(hours)) >= Math.floor(sealed_h));
    await until("the ledger", async () => (await number(said)) >= 2 * operations);
    const ended = await untilAshore(sailed.segments);
    const report =
      await number(`select octet_length(regexp_replace(body::text, '([:,]) ', '\\1', 'g'))
      from fleet.document where ship = '${imo}' and kind = 'report'`);
    const bytes_per_ms = (ended.raw - begun.raw) / (ended.at_ms - begun.at_ms);
    return { ...ended, report, alert_ms, steady: { bytes_per_ms } };
  } finally {
    await box[Symbol.asyncDispose]();
    proxy.close();
    rig.close();
    removeFolders();
  }
}

const ALERT = "BENCH";

/** Milliseconds from an alert's commit aboard until it is ashore. */
async function alertAshore({ store }: Rig, count: () => Promise<number>): Promise<number> {
  const timestamp = new Date().toISOString();
  const event = { timestamp, event_type: "ALARM_TRIGGERED", description: ALERT };
  const text = JSON.stringify({ ...event, data: { code: ALERT } });
  store.commit([messageOf("events", text, { received_ms: Date.now() })]);
  const began_ms = performance.now();
  await until("the alert", async () => (await count()) > 0);
  return performance.now() - began_ms;
}
