// THE REGISTERS in one table: address, meaning, and source of the number. docs/modbus.md is
// generated from it. Addresses never change and are never reused, because they are typed into the
// ship's alarm system. Each register is an unsigned word of 16 bits, high byte first.

import { aboutAlert, type OwnCode } from "../bwts/present/alert.ts";
import type { AlertState, Priority } from "../bwts/present/priority.ts";

/** Number of a register whose value isn't known. */
export const UNKNOWN_NUMBER = 0xffff;
/** Number of a value that is too large for a register. */
export const LARGEST_NUMBER = 0xfffe;

/** An alert that isn't closed. */
export interface ShipAlert {
  readonly source: "ballastd" | "plc";
  readonly code: string;
  readonly priority: Priority;
  readonly alert_state: AlertState;
  readonly isShelved: boolean;
}

/** The facts behind the registers; null where they aren't known. */
export interface ShipFacts {
  /** Seconds since ballastd started. */
  readonly running_s: number;
  readonly received_age_s: number | null;
  readonly reading_age_s: number | null;
  readonly isTreating: boolean | null;
  readonly intensity_w_m2: number | null;
  readonly flow_m3_h: number | null;
  readonly lamps_out: number | null;
  readonly alerts: readonly ShipAlert[] | null;
}

export interface Register {
  /** Address as in a request; both tables have the same registers. */
  readonly address: number;
  readonly name: string;
  readonly about: string;
  readonly unit: string;
  /** Factor from the value to the register's number. */
  readonly scale: number;
  readonly value: (facts: ShipFacts) => number | null;
}

/** Version of this map: it changes only if a register's meaning does. */
const MAP_VERSION = 1;

/** Numbers of `group`; an alert that is shelved doesn't count. */
const GROUP: readonly (Priority | "none")[] = ["none", "caution", "warning", "alarm"];

const GROUP_NUMBERS = GROUP.map((name, number) => `${number} ${name}`).join(", ");

/** Numbers of an alert's state. */
export const STATE_NUMBERS = {
  none: 0,
  unacknowledged: 1,
  acknowledged: 2,
  rectified: 3,
  shelved: 4,
} as const;

/** States by importance: of several alerts of a code the first one's state is shown. */
const WORST_FIRST = ["unacknowledged", "rectified", "acknowledged", "shelved"] as const;

const plain = { unit: "", scale: 1 };
const seconds = { unit: "s", scale: 1 };

const FIRST_REGISTERS: readonly Register[] = [
  { address: 0, name: "map", about: "version of this map", ...plain, value: () => MAP_VERSION },
  {
    ...{ address: 1, name: "group", ...plain },
    about: `group alert, the highest priority of an open alert: ${GROUP_NUMBERS}`,
    value: ({ alerts }) =>
      alerts && Math.max(0, ...shown(alerts).map(({ priority }) => GROUP.indexOf(priority))),
  },
  {
    ...{ address: 2, name: "group_unacknowledged", ...plain },
    about: "1 while nobody has acknowledged an open alert",
    value: ({ alerts }) =>
      alerts && Number(shown(alerts).some((one) => one.alert_state !== "acknowledged")),
  },
  ...(["alarm", "warning", "caution"] as const).map((priority, place) => ({
    ...{ address: 3 + place, name: `${priority}s`, ...plain },
    about: `open alerts of the priority ${priority}`,
    value: ({ alerts }: ShipFacts) =>
      alerts && shown(alerts).filter((one) => one.priority === priority).length,
  })),
  {
    ...{ address: 6, name: "received_age", ...seconds },
    about: "age of data: time since state, flow or UV intensity was received",
    value: ({ received_age_s }) => received_age_s,
  },
  {
    ...{ address: 7, name: "reading_age", ...seconds },
    about: "age of the newest reading by its own time",
    value: ({ reading_age_s }) => reading_age_s,
  },
  {
    ...{ address: 8, name: "treating", ...plain },
    about: "1 while water is treated",
    value: ({ isTreating }) => (isTreating === null ? null : Number(isTreating)),
  },
  {
    ...{ address: 9, name: "intensity", unit: "W/m2", scale: 10 },
    about: "UV intensity",
    value: ({ intensity_w_m2 }) => intensity_w_m2,
  },
  {
    ...{ address: 10, name: "flow", unit: "m3/h", scale: 10 },
    about: "flow",
    value: ({ flow_m3_h }) => flow_m3_h,
  },
  {
    ...{ address: 11, name: "lamps_out", ...plain },
    about: "lamps that have failed; unknown instead of 0 while one isn't known",
    value: ({ lamps_out }) => lamps_out,
  },
  {
    ...{ address: 12, name: "running", ...seconds },
    about:
      "counts up each second, and begins again after 65,534: it stands still when ballastd does",
    value: ({ running_s }) => Math.floor(running_s) % UNKNOWN_NUMBER,
  },
];

/** Address of the treatment system's alarms. */
const PLC_ADDRESS = 20;

/** Addresses by code; a new code gets the next one. */
const ADDRESSES: Readonly<Record<OwnCode, number>> = {
  UV_BELOW_LIMIT: 21,
  FLOW_ABOVE_CERTIFIED: 22,
  FILTER_DP_HIGH: 23,
  FILTER_DP_ALARM: 24,
  CABINET_HOT: 25,
  CABINET_TRIP: 26,
  LAMP_FAILED: 27,
  LAMP_NEAR_END: 28,
  CIP_DUE: 29,
  NO_DATA: 30,
  PLC_LINK_LOST: 31,
  BROKER_LOST: 32,
  CLOCK_NOT_TRUSTED: 33,
  READINGS_AHEAD: 34,
  DATA_DAMAGED: 35,
  DISK_LOW: 36,
  CERTIFICATE_ENDS: 37,
  LAMP_COUNTERS_FAST: 38,
  TAG_NAMES_FULL: 39,
  JOB_FAILING: 40,
  SHORE_BEHIND: 41,
  SHORE_REFUSED: 42,
  SHORE_FORK: 43,
  SENSOR_IMPLAUSIBLE: 44,
  SENSOR_BAD_QUALITY: 45,
  WATER_UNTREATED: 46,
  HISTORY_REPLACED: 47,
  PLC_CLOCK_WRONG: 48,
  MESSAGES_QUARANTINED: 49,
  QUARANTINE_FULL: 50,
  PLANT_ALARM_QUARANTINED: 51,
};

export const REGISTERS: readonly Register[] = [
  ...FIRST_REGISTERS,
  {
    ...{ address: PLC_ADDRESS, name: "plc", ...plain },
    about: "state of the treatment system's alarms",
    value: ({ alerts }) => alerts && stateOf(alerts.filter(({ source }) => source === "plc")),
  },
  ...Object.entries(ADDRESSES).map(([code, address]) => ({
    ...{ address, name: code, ...plain },
    about: `state of the ${aboutAlert("ballastd", code).priority} ${code}`,
    value: ({ alerts }: ShipFacts) =>
      alerts && stateOf(alerts.filter((one) => one.source === "ballastd" && one.code === code)),
  })),
];

const BY_ADDRESS = new Map(REGISTERS.map((register) => [register.address, register]));

/** The numbers of `count` registers from `first` on; null if one of them doesn't exist. */
export function registerNumbers(
  facts: ShipFacts,
  { first, count }: { readonly first: number; readonly count: number },
): readonly number[] | null {
  const numbers: number[] = [];
  for (let address = first; address < first + count; address += 1) {
    const register = BY_ADDRESS.get(address);
    if (register === undefined) return null;
    numbers.push(numberOf(register, facts));
  }
  return numbers;
}

/** The register's number for its value: 0 or more, in 16 bits. */
function numberOf({ value, scale }: Register, facts: ShipFacts): number {
  const known = value(facts);
  if (known === null || !Number.isFinite(known)) return UNKNOWN_NUMBER;
  return Math.min(LARGEST_NUMBER, Math.max(0, Math.round(known * scale)));
}

function shown(alerts: readonly ShipAlert[]): readonly ShipAlert[] {
  return alerts.filter(({ isShelved }) => !isShelved);
}

function stateOf(alerts: readonly ShipAlert[]): number {
  const states = alerts.map((one) => (one.isShelved ? "shelved" : one.alert_state));
  const worst = WORST_FIRST.find((state) => states.includes(state));
  return STATE_NUMBERS[worst ?? "none"];
}
