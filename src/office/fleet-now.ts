// The present state of the fleet, from the view `fleet.now`. A report was written by a ship, so
// each of its members may be anything. It is read member by member, without schemas, because a
// fleet may have thousands of ships.

import {
  byTrouble,
  type FleetShip,
  type LampDue,
  type LastVerdict,
  shipJudged,
} from "../bwts/documents/fleet-ship.ts";
import { reportAlarms, reportText } from "../bwts/documents/report-limits.ts";
import { SYSTEM_VALUES } from "../bwts/documents/system-values.ts";
import { OPERATION_VERDICTS } from "../bwts/operations/operation-words.ts";
import { LAMP_COUNT, TAGS } from "../bwts/tags.ts";
import { MINUTE_MS } from "../ground/clock.ts";
import type { Office } from "./office.ts";

/** A row of office.now. */
interface NowRow {
  readonly ship: string;
  readonly name: string;
  readonly added: Date;
  readonly asked: Date;
  readonly last_contact: Date | null;
  readonly report_received: Date | null;
  readonly raw_until: Date | null;
  readonly version: string | null;
  readonly verified_to: number | null;
  readonly boxes: number;
  readonly forks: number;
  readonly report: unknown;
  readonly last_verdict: unknown;
}

export interface FleetNow {
  /** Time of the answer, by the office's clock. */
  readonly as_of: string;
  readonly silence_minutes: number;
  /** Ships without contact for longer than that, the longest first. */
  readonly alerts: readonly SilenceAlert[];
  /** All ships, the one in most trouble first. */
  readonly ships: readonly FleetShip[];
}

export interface SilenceAlert {
  readonly ship: string;
  readonly name: string;
  readonly kind: "silent";
  /** Time of the ship's last contact, or of its addition to the fleet. */
  readonly since: string;
}

/** The state of all ships that aren't revoked, or of one. */
export async function fleetNow(
  office: Office,
  { ship, silence_minutes }: { readonly ship: string | null; readonly silence_minutes: number },
): Promise<FleetNow> {
  const rows = await office.ask<NowRow>("office.now", [ship]);
  const asked = rows[0]?.asked ?? new Date();
  const ships = rows.map((row) => shipOf(row, silence_minutes * MINUTE_MS)).sort(byTrouble);
  return { as_of: asked.toISOString(), silence_minutes, alerts: alertsOf(ships), ships };
}

function alertsOf(ships: readonly FleetShip[]): readonly SilenceAlert[] {
  const alerts = ships.flatMap(({ ship, name, silent_since: since }) =>
    since === null ? [] : [{ ship, name, kind: "silent" as const, since }],
  );
  return alerts.sort((one, other) => (one.since < other.since ? -1 : 1));
}

/** Code of the alert aboard about data that the office refuses. */
const REFUSED = "SHORE_REFUSED";

function shipOf(row: NowRow, silence_ms: number): FleetShip {
  const { ship, name, version, boxes, forks, verified_to } = row;
  const now_ms = row.asked.getTime();
  const told = row.report_received === null ? null : membersOf(row.report);
  const said = told && saidIn(told);
  const data_ms = within(told?.data_ms, 0, TIME_MAX_MS);
  const clock_offset_ms = said?.clock.offset_ms ?? null;
  const { is_current, ...judged } = shipJudged({
    now_ms,
    last_contact_ms: row.last_contact?.getTime() ?? null,
    report_received_ms: row.report_received?.getTime() ?? null,
    data_ms: data_ms === null ? null : data_ms + (clock_offset_ms ?? 0),
    raw_ms: row.raw_until?.getTime() ?? null,
    ...{ clock_offset_ms, alarms: said?.alarms.length ?? 0, forks },
  });
  const spoken = row.last_contact ?? row.added;
  const isSilent = now_ms - spoken.getTime() > silence_ms;
  return {
    ...{ ship, name, version, boxes, forks, ...judged },
    last_contact: printed(row.last_contact),
    data_until: data_ms === null ? null : new Date(data_ms).toISOString(),
    raw_until: printed(row.raw_until),
    ...{ added: row.added.toISOString(), silent_since: isSilent ? spoken.toISOString() : null },
    chain: {
      verified_to,
      is_refused: said?.alarms_known === true ? said.alarms.includes(REFUSED) : null,
    },
    last_verdict: verdictOf(membersOf(row.last_verdict)),
    report: said && { ...said, received: printed(row.report_received), is_current },
  };
}

function verdictOf(told: SaidMembers): LastVerdict | null {
  const verdict = OPERATION_VERDICTS.find((word) => word === told.verdict);
  if (verdict === undefined || told.is_withdrawn === true) return null;
  return {
    ...{ verdict, version: countOf(told.version) },
    operation_type: reportText(told.operation_type),
    location: reportText(told.location),
    end: saidTime(told.end),
    is_proven: told.is_proven === true,
  };
}

/** A time in the form in which ships write it; null for other values. */
export function saidTime(value: unknown): string | null {
  const at_ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at_ms) ? null : timeOf(at_ms);
}

type SaidNow = Omit<NonNullable<FleetShip["report"]>, "received" | "is_current">;

/** Reads a report; a member that isn't of its type is null. */
function saidIn(said: SaidMembers): SaidNow {
  const [backlog, clock] = [said.backlog, said.clock].map(membersOf);
  const [values, line] = [said.values, said.line].map(listIn);
  return {
    at: timeOf(said.at_ms),
    state: reportText(said.state),
    operation_type: reportText(said.operation_type),
    location: reportText(said.location),
    values: Object.fromEntries(
      SYSTEM_VALUES.map((index, place) => [TAGS[index].name, finite(values[place])]),
    ),
    alarms: reportAlarms(listIn(said.alarms)),
    alarms_known: Array.isArray(said.alarms),
    health: within(said.health, 0, 100),
    hot_readings: countOf(said.hot),
    backlog: {
      links: countOf(backlog.links),
      bytes: countOf(backlog.bytes),
      since: timeOf(backlog.oldest_ms),
    },
    clock: {
      trusted: typeof clock.trusted === "boolean" ? clock.trusted : null,
      offset_ms: within(clock.offset_ms, -TIME_MAX_MS, TIME_MAX_MS),
    },
    lamp_due: lampDueOf(listIn(said.lamp_due)),
    line: {
      today_bytes: bytesOf(line[0]),
      month_bytes: bytesOf(line[1]),
      minutes_left: countOf(line[2]),
    },
  };
}

type SaidMembers = Readonly<Record<string, unknown>>;

/** Maximum time, in the year 2286, as in `fleet.time_of`. */
const TIME_MAX_MS = 1e13;

const membersOf = (value: unknown): SaidMembers =>
  typeof value === "object" && value !== null ? { ...value } : {};
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const finite = (value: unknown) => within(value, -Number.MAX_VALUE, Number.MAX_VALUE);
const countOf = (value: unknown) => within(value, 0, Number.MAX_SAFE_INTEGER);

/** Bytes, from a value in kB. */
function bytesOf(value: unknown): number | null {
  const kilobytes = countOf(value);
  return kilobytes === null ? null : kilobytes * 1000;
}

function within(value: unknown, low: number, high: number): number | null {
  return typeof value === "number" && value >= low && value <= high ? value : null;
}

function timeOf(value: unknown): string | null {
  const at_ms = within(value, 0, TIME_MAX_MS);
  return at_ms === null ? null : new Date(at_ms).toISOString();
}

function lampDueOf([lamp, date]: readonly unknown[]): LampDue | null {
  const number = within(lamp, 1, LAMP_COUNT);
  if (number === null || !Number.isInteger(number) || typeof date !== "string") return null;
  const at_ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(at_ms) || !new Date(at_ms).toISOString().startsWith(date)) return null;
  return { lamp: number, date };
}

function printed(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
