// Reads /api/fleet and a ship of it, with the checks of store/checks.ts. The server has judged the
// ship's report: `isCurrent` is true if it shows the present.

import type { FleetShip, LastVerdict } from "../../bwts/documents/fleet-ship.ts";
import { type ShipTrouble, TROUBLES } from "../../bwts/documents/ship-trouble.ts";
import type { OperationVerdict } from "../../bwts/operations/operation.ts";
import { OPERATION_VERDICTS } from "../../bwts/operations/operation-words.ts";
import {
  flagOrNull,
  instant,
  isLike,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
} from "../../dashboard/store/checks.ts";

type SaidReport = NonNullable<FleetShip["report"]>;

export interface ShownReport {
  /** Time of the report by the ship's clock, and of its receipt by the office's. */
  readonly at_ms: number | null;
  readonly received_ms: number | null;
  readonly isCurrent: boolean;
  readonly state: string | null;
  readonly operation: string | null;
  readonly port: string | null;
  readonly values: Readonly<Record<string, number | null>>;
  /** Codes of the open alarms; null if the report has no readable list. */
  readonly alarms: readonly string[] | null;
  readonly health: number | null;
  readonly hot: number | null;
  readonly links: number | null;
  readonly bytes: number | null;
  readonly since_ms: number | null;
  readonly minutes: number | null;
  readonly offset_ms: number | null;
  readonly lamp_due: { readonly lamp: number; readonly date: string } | null;
  readonly today_bytes: number | null;
  readonly month_bytes: number | null;
}

/** A verdict on an operation. */
export interface ShownLastVerdict {
  readonly verdict: OperationVerdict;
  readonly operation: string | null;
  readonly port: string | null;
  readonly end_ms: number | null;
  readonly isProven: boolean;
}

export interface ShownShip {
  readonly ship: string;
  readonly name: string;
  readonly contact: FleetShip["contact"];
  readonly contact_ms: number | null;
  readonly readings: FleetShip["readings"];
  readonly data_ms: number | null;
  readonly raw_ms: number | null;
  readonly silent_ms: number | null;
  readonly version: string | null;
  readonly boxes: number | null;
  readonly forks: number | null;
  readonly verified_to: number | null;
  readonly isRefused: boolean;
  readonly troubles: readonly ShipTrouble[];
  readonly lastVerdict: ShownLastVerdict | null;
  readonly report: ShownReport | null;
  /** Text for the search: name and number in small letters. */
  readonly found: string;
}

export interface ShownFleet {
  readonly as_of_ms: number;
  readonly silence_minutes: number;
  /** All ships, the one in most trouble first. */
  readonly ships: readonly ShownShip[];
  /** Ships without contact, the longest first. */
  readonly silent: readonly ShownShip[];
}

interface FleetMembers {
  readonly as_of: string;
  readonly silence_minutes: number;
  readonly ships: readonly FleetShip[];
}

export const readFleet: Read<ShownFleet> = (body) => {
  if (!isLike<FleetMembers>(body)) return null;
  const as_of_ms = instant(body.as_of);
  const silence_minutes = numberOrNull(body.silence_minutes);
  const ships = listOf(body.ships, shownShip);
  if (as_of_ms === null || silence_minutes === null || ships === null) return null;
  const silent = ships.value
    .filter(({ silent_ms }) => silent_ms !== null)
    .sort((one, other) => Number(one.silent_ms) - Number(other.silent_ms));
  return { value: { as_of_ms, silence_minutes, ships: ships.value, silent } };
};

const CONTACTS = ["contact", "no_contact", "never"] as const;
const READINGS = ["current", "old", "none", "unknown"] as const;

export function shownShip(given: unknown): ShownShip | null {
  if (!isLike<FleetShip>(given)) return null;
  const ship = textOrNull(given.ship);
  const name = textOrNull(given.name) ?? ship;
  const contact = CONTACTS.find((one) => one === given.contact);
  if (ship === null || name === null || contact === undefined) return null;
  const chain = isLike<FleetShip["chain"]>(given.chain) ? given.chain : {};
  const troubles = Array.isArray(given.troubles) ? given.troubles : [];
  return {
    ...{ ship, name, contact },
    contact_ms: instant(given.last_contact),
    readings: READINGS.find((one) => one === given.readings) ?? "unknown",
    data_ms: instant(given.data_until),
    raw_ms: instant(given.raw_until),
    silent_ms: instant(given.silent_since),
    version: textOrNull(given.version),
    boxes: numberOrNull(given.boxes),
    forks: numberOrNull(given.forks),
    verified_to: numberOrNull(chain.verified_to),
    isRefused: chain.is_refused === true,
    // A later version may report others, for which this page has no word.
    troubles: TROUBLES.filter((word) => troubles.includes(word)),
    lastVerdict: shownVerdict(given.last_verdict),
    report: isLike<SaidReport>(given.report) ? shownReport(given.report) : null,
    found: `${name} ${ship}`.normalize("NFKC").toLowerCase(),
  };
}

function shownVerdict(given: unknown): ShownLastVerdict | null {
  if (!isLike<LastVerdict>(given)) return null;
  const verdict = OPERATION_VERDICTS.find((word) => word === given.verdict);
  if (verdict === undefined) return null;
  const [operation, port] = [textOrNull(given.operation_type), textOrNull(given.location)];
  const isProven = given.is_proven === true;
  return { verdict, operation, port, end_ms: instant(given.end), isProven };
}

function shownReport(given: UncheckedAnswer<SaidReport>): ShownReport {
  const backlog = isLike<SaidReport["backlog"]>(given.backlog) ? given.backlog : {};
  const clock = isLike<SaidReport["clock"]>(given.clock) ? given.clock : {};
  const line = isLike<SaidReport["line"]>(given.line) ? given.line : {};
  const due = isLike<NonNullable<SaidReport["lamp_due"]>>(given.lamp_due) ? given.lamp_due : {};
  const [lamp, date] = [numberOrNull(due.lamp), textOrNull(due.date)];
  const values = isLike<Record<string, unknown>>(given.values) ? given.values : {};
  const alarms = Array.isArray(given.alarms) ? given.alarms : [];
  const areKnown = given.alarms_known === true;
  return {
    at_ms: instant(given.at),
    received_ms: instant(given.received),
    isCurrent: flagOrNull(given.is_current) === true,
    state: textOrNull(given.state),
    operation: textOrNull(given.operation_type),
    port: textOrNull(given.location),
    values: Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, numberOrNull(value)]),
    ),
    alarms: areKnown ? alarms.filter((code) => typeof code === "string") : null,
    health: numberOrNull(given.health),
    hot: numberOrNull(given.hot_readings),
    links: numberOrNull(backlog.links),
    bytes: numberOrNull(backlog.bytes),
    since_ms: instant(backlog.since),
    minutes: numberOrNull(line.minutes_left),
    offset_ms: numberOrNull(clock.offset_ms),
    lamp_due: lamp === null || date === null ? null : { lamp, date },
    today_bytes: numberOrNull(line.today_bytes),
    month_bytes: numberOrNull(line.month_bytes),
  };
}
