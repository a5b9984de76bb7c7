// Reads /api/ship: the ship's row, alerts, lamps, chains and newest events, with the readers that
// the page aboard has for the same answers.

import type { ShipDetail } from "../../bwts/documents/ship-detail.ts";
import type { OperationVerdict } from "../../bwts/operations/operation.ts";
import { OPERATION_VERDICTS } from "../../bwts/operations/operation-words.ts";
import { type LampOutlook, readOutlooks } from "../../dashboard/lamps/lamp-answers.ts";
import { readAlertList, type ShownAlert } from "../../dashboard/store/alerts.ts";
import {
  instant,
  isLike,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
} from "../../dashboard/store/checks.ts";
import type { ShownEvent } from "../../dashboard/store/events.ts";
import { type ShownShip, shownShip } from "./fleet-answers.ts";

export interface ShownBranch {
  readonly chain: "segment" | "event" | "audit";
  readonly branch: number | null;
  readonly begins: number | null;
  readonly number: number | null;
  readonly until_ms: number | null;
  readonly received_ms: number | null;
  readonly isCurrent: boolean;
}

export interface ShownShipOperation {
  readonly id: number;
  readonly verdict: OperationVerdict | null;
  readonly version: number | null;
  readonly operation: string | null;
  readonly port: string | null;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
  readonly volume_m3: number | null;
  readonly rules: string;
  readonly isProven: boolean;
}

export interface ShownDetail {
  readonly as_of_ms: number;
  readonly ship: ShownShip;
  readonly alarms: readonly ShownAlert[];
  /** Empty while the ship's forecasts are suspended: its own pages show none then. */
  readonly outlooks: readonly LampOutlook[];
  readonly areSuspended: boolean;
  readonly operations: readonly ShownShipOperation[];
  readonly branches: readonly ShownBranch[];
  readonly events: readonly ShownEvent[];
  readonly unreadable: number;
}

export const readDetail: Read<ShownDetail> = (body) => {
  if (!isLike<ShipDetail>(body)) return null;
  const as_of_ms = instant(body.as_of);
  const ship = shownShip(body.ship);
  const alarms = readAlertList(body.alarms);
  const outlooks = readOutlooks(body.forecasts);
  const branches = listOf(body.branches, branchIn);
  const operations = listOf(body.operations ?? [], operationIn);
  if (as_of_ms === null || ship === null || branches === null || operations === null) return null;
  if (alarms === null || outlooks === null || !Array.isArray(body.events)) return null;
  const areSuspended = alarms.value.some(isSuspending);
  return {
    value: {
      ...{ as_of_ms, ship, alarms: alarms.value, areSuspended },
      outlooks: areSuspended ? [] : outlooks.value,
      ...{ branches: branches.value, operations: operations.value },
      events: body.events.flatMap((event) => eventIn(event) ?? []),
      unreadable: numberOrNull(body.unreadable) ?? 0,
    },
  };
};

/**
 * True for the alert that suspends forecasts. If it has a value, the lamps' counters are divided by
 * it, and forecasts continue.
 */
function isSuspending({ source, code, state, value }: ShownAlert): boolean {
  const isActive = state === "unacknowledged" || state === "acknowledged";
  return isActive && source === "ballastd" && code === "LAMP_COUNTERS_FAST" && value === null;
}

function operationIn(given: unknown): ShownShipOperation | null {
  if (!isLike<ShipDetail["operations"][number]>(given)) return null;
  const id = numberOrNull(given.id);
  if (id === null) return null;
  return {
    ...{ id, version: numberOrNull(given.version), volume_m3: numberOrNull(given.volume_m3) },
    verdict: OPERATION_VERDICTS.find((word) => word === given.verdict) ?? null,
    ...{ operation: textOrNull(given.operation_type), port: textOrNull(given.location) },
    ...{ start_ms: instant(given.start), end_ms: instant(given.end) },
    isProven: given.is_proven === true,
    rules: Array.isArray(given.rules) ? [...new Set(given.rules)].join(", ") : "",
  };
}

const CHAINS = ["segment", "event", "audit"] as const;

function branchIn(given: unknown): ShownBranch | null {
  if (!isLike<ShipDetail["branches"][number]>(given)) return null;
  const chain = CHAINS.find((one) => one === given.chain);
  if (chain === undefined) return null;
  return {
    chain,
    branch: numberOrNull(given.branch),
    begins: numberOrNull(given.begins),
    number: numberOrNull(given.number),
    until_ms: instant(given.until),
    received_ms: instant(given.received),
    isCurrent: given.is_current === true,
  };
}

/**
 * An event of a kind for which the list has words; null for others, since alarms are in the list of
 * alerts.
 */
function eventIn(given: unknown): ShownEvent | null {
  if (!isLike<ShipDetail["events"][number]>(given)) return null;
  const at_ms = instant(given.at);
  const event_type = textOrNull(given.event_type);
  if (at_ms === null || (event_type !== "PROCESS_START" && event_type !== "PROCESS_STOP"))
    return null;
  const description = textOrNull(given.description) ?? "";
  return { at_ms, event_type, description, operation_type: null, location: null };
}
