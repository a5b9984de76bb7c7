// The fleet as of now, out of the view `fleet.now`. A report was written by a ship, so each of its
// members may be anything.

import * as z from "zod";
import { SYSTEM_VALUES } from "../bwts/shore/document.ts";
import { byTrouble, type FleetShip, shipJudged } from "../bwts/shore/fleet-ship.ts";
import { TAGS } from "../bwts/tags.ts";
import type { Office } from "./office.ts";

/** A row of office.now. */
interface NowRow {
  readonly ship: string;
  readonly name: string;
  readonly asked: Date;
  readonly last_contact: Date | null;
  readonly report_received: Date | null;
  readonly reported: Date | null;
  readonly data_until: Date | null;
  readonly raw_until: Date | null;
  readonly backlog_since: Date | null;
  readonly version: string | null;
  readonly boxes: number;
  readonly forks: number;
  readonly state: string | null;
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly alarms: unknown;
  readonly health: number | null;
  readonly hot_readings: number | null;
  readonly backlog_links: number | null;
  readonly backlog_bytes: number | null;
  readonly clock_trusted: boolean | null;
  readonly clock_offset_ms: number | null;
  readonly [field: string]: unknown;
}

export interface FleetNow {
  /** By the shore's clock. */
  readonly as_of: string;
  /** The worst first. */
  readonly ships: readonly FleetShip[];
}

/** All ships but those that were revoked, or one. */
export async function fleetNow(office: Office, ship: string | null): Promise<FleetNow> {
  const rows = await office.ask<NowRow>("office.now", [ship]);
  const asked = rows[0]?.asked ?? new Date();
  return { as_of: asked.toISOString(), ships: rows.map(shipOf).sort(byTrouble) };
}

const Codes = z.array(z.string()).catch([]);

function shipOf(row: NowRow): FleetShip {
  const alarms = Codes.parse(row.alarms);
  const { clock_offset_ms } = row;
  const data_ms = row.data_until?.getTime() ?? null;
  const { is_current, ...judged } = shipJudged({
    now_ms: row.asked.getTime(),
    last_contact_ms: row.last_contact?.getTime() ?? null,
    report_received_ms: row.report_received?.getTime() ?? null,
    data_ms: data_ms === null ? null : data_ms + (clock_offset_ms ?? 0),
    raw_ms: row.raw_until?.getTime() ?? null,
    ...{ clock_offset_ms, alarms: alarms.length, forks: row.forks },
  });
  const { ship, name, version, boxes, forks } = row;
  return {
    ...{ ship, name, version, boxes, forks, ...judged },
    last_contact: printed(row.last_contact),
    data_until: printed(row.data_until),
    raw_until: printed(row.raw_until),
    report: row.report_received === null ? null : reportOf(row, { alarms, is_current }),
  };
}

function reportOf(
  row: NowRow,
  { alarms, is_current }: { readonly alarms: string[]; readonly is_current: boolean },
): FleetShip["report"] {
  const { state, operation_type, location, health, hot_readings } = row;
  const values = SYSTEM_VALUES.map((index) => {
    const { name } = TAGS[index];
    const value = row[name.toLowerCase()];
    return [name, typeof value === "number" ? value : null] as const;
  });
  return {
    at: printed(row.reported),
    received: printed(row.report_received),
    ...{ is_current, state, operation_type, location },
    values: Object.fromEntries(values),
    ...{ alarms, health, hot_readings },
    backlog: {
      links: row.backlog_links,
      bytes: row.backlog_bytes,
      since: printed(row.backlog_since),
    },
    clock: { trusted: row.clock_trusted, offset_ms: row.clock_offset_ms },
  };
}

function printed(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
