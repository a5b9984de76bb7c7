// A ship's data on a line: the bytes of TLS of a ship-day at 1 Hz and at a reading every 3 minutes,
// whose segments go one by one as they are sealed; and of backlogs on slow lines the bytes beside
// what is in links and documents, how long 30 days take, and how soon an alert is ashore meanwhile.
// Days that are drained are fewer than 30: the rate is that of the steady part, without connection
// and slow start. A day has 144 reports and 24 hellos: one of each is measured.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { PACE } from "../../src/shore/backoff.ts";
import { type Rig, removeFolders } from "../../test/rig/database.ts";
import { messageOf } from "../../test/rig/decoding.ts";
import type { FleetRig } from "../../test/rig/fleet-rig.ts";
import { judgeOperations } from "../../test/rig/fleet-verdicts.ts";
import { grownHead } from "../../test/rig/ledger-signer.ts";
import { CLEAR, openProxy } from "../../test/rig/proxy.ts";
import { sailOn, shipAboard } from "../../test/rig/ship-links.ts";
import { openBox } from "../../test/rig/shore-rig.ts";
import { until } from "../../test/rig/until.ts";
import type { TableRow } from "./table-rows.ts";

/** 23.9 h at 1 Hz. */
const DAY = { segments: 42, readings: 2048, cadence_ms: SECOND_MS };
const SLOW_DAY = { segments: 1, readings: 480, cadence_ms: 3 * MINUTE_MS };
const REPORTS = 144;
/** One at the beginning of the session, which stays open, and one each hour. */
const HELLOS = 24;
/** Operations of a busy day; each ends with a verdict and a signed head. */
const OPERATIONS = 4;
/** Arguments, framing and TLS of a report beside its body. */
const REPORT_FRAME_BYTES = 135;
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
    segments: DAY.segments,
    goal: "175 min; 1 %",
  },
];

const wholeDay = ({ segments, readings, cadence_ms }: typeof DAY) =>
  DAY_MS / (segments * readings * cadence_ms);

export async function measureShipDay(fleet: FleetRig): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for (const [imo, day, cadence, goal] of [
    ["9395044", DAY, "1 Hz", "2,750 KB; 150 KB"],
    ["9305879", SLOW_DAY, "a reading every 3 min", ""],
  ] as const) {
    const { up, raw, report, hello, segment } = await livedDay(fleet, imo, day);
    const again = (REPORTS - 1) * (report + REPORT_FRAME_BYTES) + (HELLOS - 1) * hello;
    const kb = (bytes: number) => ((bytes * wholeDay(day)) / 1000).toFixed(0);
    rows.push({
      what:
        `TLS bytes up a ship-day, ${cadence}, with 24 hours, ${OPERATIONS} verdicts and heads, ` +
        `${REPORTS} reports, ${HELLOS} hellos; of it all but segments`,
      goal,
      measured: `${kb(up + again)} KB; ${kb(up - raw + again)} KB`,
    });
    if (segment !== null)
      rows.push({
        what: "of that in bytes: a later hello; a report; a sealed segment beside its own",
        goal: "",
        measured: `${hello}; ${report + REPORT_FRAME_BYTES}; ${segment}`,
      });
  }
  return rows;
}

/** A day whose segments are sealed one after the other while the ship is connected. */
async function livedDay(fleet: FleetRig, imo: string, day: typeof DAY) {
  const rig = shipAboard({ seed: 1, ...day, segments: 1 });
  const proxy = await openProxy({ port: fleet.port });
  const box = openBox(rig, await fleet.add(imo), { port: proxy.port, pace: PACE });
  const ashore = ashoreOf(fleet, imo);
  const segment_ms = day.readings * day.cadence_ms;
  try {
    await ashore.payloads(1);
    tellHours(rig, day);
    let segment: number | null = null;
    for (let segments = 2; segments <= day.segments; segments += 1) {
      const before = proxy.sentUp_bytes() - (await ashore.raw());
      const days = ((segments - 1) * segment_ms) / DAY_MS;
      sailOn(rig, { seed: segments, ...day, segments: 1, days });
      await ashore.payloads(segments);
      // No hour is whole before the second, so that nothing else goes with it.
      segment ??= proxy.sentUp_bytes() - (await ashore.raw()) - before;
      tellHours(rig, day);
    }
    await judged(rig);
    await ashore.ledger(2 * OPERATIONS);
    await ashore.hours(Math.floor((day.segments * segment_ms) / HOUR_MS));
    const up = proxy.sentUp_bytes();
    const { answered } = box.shore.state;
    box.shore.state.isHelloWanted = true;
    await until("a hello", async () => box.shore.state.answered !== answered);
    const hello = proxy.sentUp_bytes() - up;
    return { up, hello, segment, raw: await ashore.raw(), report: await ashore.report() };
  } finally {
    await box[Symbol.asyncDispose]();
    proxy.close();
    rig.close();
    removeFolders();
  }
}

/** Tells the hours that are whole, as the program does after each. */
function tellHours({ db }: Rig, { cadence_ms }: typeof DAY): void {
  db.exec(`insert into shore_hour (start_ms, revision)
    select start_ms, (select coalesce(max(revision), 0) from shore_hour)
      + row_number() over (order by start_ms)
    from bucket where interval = 'hour' and start_ms not in (select start_ms from shore_hour)
      and start_ms + ${HOUR_MS} <= (select max(last_ms) + ${cadence_ms} from segment)`);
}

async function judged(rig: Rig): Promise<void> {
  for (let id = 1; id <= OPERATIONS; id += 1) {
    judgeOperations(rig, [{ id, because: "the operation ended" }]);
    await grownHead(rig, 1);
  }
}

/** A document's bytes as they were sent. */
const LENGTH = "octet_length(regexp_replace(body::text, '([:,]) ', '\\1', 'g'))";

/** Questions to the shore about one ship, and waits until something of hers is there. */
function ashoreOf(fleet: FleetRig, imo: string) {
  const number = async (text: string) => Number(await fleet.psql(text));
  const payloads = `from fleet.link
    where ship = '${imo}' and chain = 'segment' and payload is not null`;
  const documents = (which: string, what = "count(*)") =>
    number(`select ${what} from fleet.document where ship = '${imo}' and ${which}`);
  return {
    async payloads(count: number) {
      const counted = `select count(*) ${payloads}`;
      await until(`${count} payloads`, async () => (await number(counted)) >= count);
    },
    raw: () => number(`select sum(octet_length(body) + octet_length(payload)) ${payloads}`),
    /** Bytes of all links and documents themselves. */
    contents: async () =>
      (await number(`select sum(octet_length(body) + coalesce(octet_length(payload), 0))
        from fleet.link where ship = '${imo}'`)) + (await documents("true", `sum(${LENGTH})`)),
    hours: (count: number) =>
      until("the hours", async () => (await documents("kind = 'hour'")) >= count),
    ledger: (count: number) =>
      until("the ledger", async () => (await documents("kind in ('head', 'verdict')")) >= count),
    alerts: () => documents(`kind = 'alarm' and body ->> 'code' = '${ALERT}'`),
    report: () => documents("kind = 'report'", LENGTH),
  };
}

export async function measureDrains(fleet: FleetRig): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for (const line of LINES) {
    const sailed = { ...DAY, segments: line.segments };
    const { steady, up, contents, raw, alert_ms } = await drained(fleet, {
      imo: line.imo,
      sailed,
      line,
    });
    const month_bytes = (raw / line.segments) * DAY.segments * wholeDay(DAY) * DAYS;
    const minutes = (month_bytes / steady.bytes_per_ms / MINUTE_MS).toFixed(1);
    const overhead = ((100 * (up - contents)) / raw).toFixed(2);
    rows.push(
      {
        what:
          `${DAYS} days at ${line.name}, by the steady part of ${line.segments} segments; ` +
          "TLS, protocol and hellos over the segments' bytes",
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
}

/** Sends all of a ship, with an alert in the middle. */
async function drained(fleet: FleetRig, { imo, sailed, line }: Drained) {
  const rig = shipAboard({ seed: 1, ...sailed });
  tellHours(rig, sailed);
  const proxy = await openProxy({ port: fleet.port });
  proxy.set({ up: { ...CLEAR, ...line }, down: { ...CLEAR, delay_ms: line.delay_ms } });
  const ashore = ashoreOf(fleet, imo);
  const box = openBox(rig, await fleet.add(imo), { port: proxy.port, pace: PACE });
  const untilAshore = async (count: number) => {
    // One after the other: all take longer than is waited for one thing.
    for (let some = 1; some <= count; some += 1) await ashore.payloads(some);
    const at_ms = performance.now();
    const up = proxy.sentUp_bytes();
    return { at_ms, up, raw: await ashore.raw(), contents: await ashore.contents() };
  };
  try {
    const begun = await untilAshore(Math.ceil(sailed.segments / 4));
    const alert_ms = await alertAshore(rig, ashore.alerts);
    await ashore.hours(
      Math.floor((sailed.segments * sailed.readings * sailed.cadence_ms) / HOUR_MS),
    );
    const ended = await untilAshore(sailed.segments);
    const bytes_per_ms = (ended.raw - begun.raw) / (ended.at_ms - begun.at_ms);
    return { ...ended, alert_ms, steady: { bytes_per_ms } };
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
