// A fleet for the fleet page: ships that report, are silent, never spoke, or say and are called
// anything; and the program that serves them with a longest silence of two hours.

import { SYSTEM_VALUES } from "../../src/bwts/documents/system-values.ts";
import { AGGREGATED } from "../../src/bwts/tags.ts";
import { type FleetRig, sail, startFleet } from "./fleet-rig.ts";
import { type Program, startProgram } from "./program.ts";
import { type Link, linksOf, shipAboard } from "./ship-links.ts";

export const SHIPS = {
  ...{ WELL: "9074729", SILENT: "9176187", QUIET: "9839272", NEVER: "9395044" },
  /** Her report and her name are hostile. */
  ODD: "9703291",
  /** Named with 200 characters. */
  LONG: "9321483",
  /** Named from right to left. */
  TURNED: "9525338",
} as const;
const { WELL, SILENT, QUIET, NEVER, ODD, LONG, TURNED } = SHIPS;
const HOUR_MS = 3_600_000;
const MARKUP = `<img src=x onerror="document.title='taken'"><script>x</script>`;

export interface ShipsServed extends AsyncDisposable {
  readonly fleet: FleetRig;
  readonly served: Program;
  readonly url: string;
}

export async function startShips(): Promise<ShipsServed> {
  const fleet = await startFleet();
  const now_ms = Date.now();
  const report = reportOf(now_ms);
  const hours = Array.from({ length: 30 }, (_, place) => ({
    start_ms: Math.floor(now_ms / HOUR_MS) * HOUR_MS - (place + 1) * HOUR_MS,
    ...{ count: 3600, values: AGGREGATED.map(() => 600 + place) },
  }));
  const say = async (imo: string, documents: readonly Told[], links: readonly Link[] = []) => {
    await using ship = await sail(await fleet.add(imo));
    await ship.hello();
    for (const link of links) await ship.put(link);
    for (const [kind, key, body] of documents) {
      const put = "select fleet.put_document($1, $2, $3, 1, $4) as result";
      const refused = await ship.ask(put, [ship.instance, kind, key, body]);
      if (refused !== "") throw new Error(`${kind} ${key}: ${refused}`);
    }
  };
  const rig = shipAboard({ seed: 14, segments: 2, readings: 30 });
  await say(
    WELL,
    [
      ["report", "now", report],
      ...hours.map((hour): Told => ["hour", `${hour.start_ms}`, hour]),
      ["alarm", "own-1", alarm(now_ms)],
      ["forecast", "LAMP_07", forecast(now_ms)],
      ["verdict", `verdict 1 ${"ab".repeat(32)}`, verdict(now_ms)],
      // Broken ones beside them.
      ["alarm", "own-2", { code: 7 }],
      ["forecast", "LAMP_08", { component_id: MARKUP }],
      ["forecast", "PUMP_01", { ...forecast(now_ms), component_id: "PUMP_01" }],
      ["hour", "1777593600001", { start_ms: "x", values: 9 }],
    ],
    linksOf(rig.db),
  );
  rig.close();
  await say(SILENT, [["report", "now", { ...report, state: "OLD_STATE" }]]);
  await say(QUIET, [["report", "now", { ...report, data_ms: now_ms - 3 * HOUR_MS }]]);
  const hostile = {
    ...{ at_ms: 1e300, data_ms: "never", state: MARKUP, location: "\u202egnp.exe", values: 7 },
    ...{ alarms: { 0: MARKUP }, health: -1e300, hot: {}, backlog: { links: -1, bytes: "x" } },
    ...{ clock: 5, lamp_due: [99, MARKUP], line: [1e308, -1] },
  };
  await say(ODD, [["report", "now", hostile], ODD_VERDICT]);
  await say(LONG, [["report", "now", report]]);
  await say(TURNED, [["report", "now", report], ...suspended(now_ms)]);
  await fleet.add(NEVER);
  await fleet.psql(`
    update fleet.ship set added = now() - interval '3 days';
    update fleet.branch set until_ms = ${now_ms} where ship = '${WELL}';
    update fleet.instance set last_seen = now() - interval '5 hours' where ship = '${SILENT}';
    update fleet.document set received = now() - interval '5 hours' where ship = '${SILENT}';
    update fleet.ship set name = $x$${MARKUP}$x$ where ship = '${ODD}';
    update fleet.ship set name = '${"Xy".repeat(99)}\u{1f6a2}!' where ship = '${LONG}';
    update fleet.ship set name = '\u05e9\u05dc\u05d5\u05dd \u{1f6a2} 9' where ship = '${TURNED}';
    create role office login password 'known' in role fleet_reader;`);
  const database = `postgres://office:known@127.0.0.1:${fleet.port}/fleet`;
  const options = ["--listen", "127.0.0.1:0", "--silence-minutes", "120", "--database", database];
  const served = startProgram({ args: ["fleet", "serve", ...options] });
  const [, url] = await served.waitForOutput(/^fleet: (http:\S+)\/$/m);
  return {
    ...{ fleet, served, url },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await fleet[Symbol.asyncDispose]();
    },
  };
}

const ODD_VERDICT: Told = [
  ...(["verdict", `verdict 1 ${"cd".repeat(32)}`] as const),
  { id: 1, verdict: MARKUP, end: MARKUP, remarks: 7, location: {} },
];

type Told = readonly [kind: string, key: string, body: object];

function reportOf(now_ms: number): object {
  return {
    ...{ at_ms: now_ms, data_ms: now_ms - 60_000, state: "RUNNING", operation_type: "BALLAST" },
    ...{ location: "Busan", values: SYSTEM_VALUES.map((_, place) => place + 0.5), alarms: [] },
    ...{ health: 91, hot: 12, backlog: { links: 3, bytes: 4_200_000, oldest_ms: now_ms - 1e6 } },
    ...{ clock: { trusted: true, offset_ms: 1500 }, raw_from_ms: 0 },
    lamp_due: [7, "2027-04-05"],
    line: [2500, 61_000, 12.2],
  };
}

function verdict(now_ms: number): object {
  const [start, end] = [5, 3].map((hours) => new Date(now_ms - hours * HOUR_MS).toISOString());
  return {
    ...{ id: 12, version: 2, made: end, because: "14 readings came late", start, end },
    ...{ operation_type: "DEBALLAST", location: "Pusan", verdict: "outside_limits" },
    ...{ volume_m3: 1200, remarks: [], statement: "" },
    rules: ["uv_below_limit"],
  };
}

function alarm(now_ms: number): object {
  const since = new Date(now_ms - HOUR_MS).toISOString();
  return {
    ...{ code: "NO_DATA", description: "no readings come", source: "ballastd", state: "active" },
    ...{ since, cleared_at: null, parameter: null, value: 1, limit: null, unit: null, data: {} },
    ...{ id: "own-1", priority: "warning", alert_state: "unacknowledged", count: 1 },
    ...{ last_raised: since, lamp: null, limit_source: null, acknowledged_at: null },
    ...{ acknowledged_by: null, acknowledged_note: null, shelved_until: null, shelved_by: null },
    ...{ shelved_reason: null, action: "look" },
  };
}

/** A forecast from before the counters of her lamps went wrong, and their alert. */
function suspended(now_ms: number): readonly Told[] {
  const alert = { ...alarm(now_ms), code: "LAMP_COUNTERS_FAST", value: null };
  return [
    ["alarm", "own-3", alert],
    ["forecast", "LAMP_07", forecast(now_ms)],
  ];
}

function forecast(now_ms: number): object {
  return {
    ...{ timestamp: new Date(now_ms).toISOString(), component_id: "LAMP_07" },
    component_type: "UV_LAMP",
    predictions: {
      ...{ remaining_useful_life_hours: 812, failure_probability: 0.1, efficiency_percent: 80 },
      ...{ end_date_p05: "2026-08-09", end_date_p95: "2028-03-11", basis: "rated_life_prior" },
    },
    current_state: { runtime_hours: 2187, efficiency_percent: 88.1, status: "OPERATIONAL" },
  };
}
