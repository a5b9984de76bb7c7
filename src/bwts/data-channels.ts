// Readings as ISO 19848 has them: each column of an export is a data channel, with a name in DNV's
// Vessel Information Structure (VIS). The names are made of the open VIS release 3-11a; the
// standard's own text isn't public.

import { BESIDE } from "./export-kind.ts";
import { LAMP_NUMBERS, type LampField, type SystemTagName, TAGS, type TagType } from "./tags.ts";

/**
 * Time of the last change of the list, by which a package names the list that it needs. Set it anew
 * whenever a channel changes.
 */
export const CHANNELS_CHANGED = "2026-11-23T04:30:00Z";

type ChannelType = "Inst" | "Calculated" | "SetPoint" | "Status" | "Alert";

/** The coding of qualities; its codes for a hidden reading, and for a time that may be wrong. */
export const QUALITY_CODING = "OPC_QUALITY";
export const QUALITY = { bad: "0", uncertain: "64" } as const;

interface ChannelName {
  readonly item: string;
  /** Metadata tags; `~` instead of `-` marks a word that VIS doesn't have. */
  readonly tags: string;
  readonly type: ChannelType;
}

const VIS = "/dnv-v2/vis-3-11a";

// VIS code 652.5 is the ballast water treatment system.
const SYSTEM = "652.5/S271";
const VALVE = "652.5/S271.1/S90.3/S61";
const REACTOR = "652.5/S271.2/S273";
const FILTER = "652.5/S271.2/S274";
const CONTROL = "652.5/S271.5/I101";

const channel = (item: string, tags: string, type: ChannelType = "Inst") => ({ item, tags, type });

/** Names of the system's fields. The timestamp isn't a channel: each value has its time. */
const SYSTEM_NAMES: Readonly<Record<Exclude<SystemTagName, "timestamp">, ChannelName>> = {
  system_id: channel(SYSTEM, "qty-identifier", "Status"),
  operation_type: channel(SYSTEM, "state-operational.state/detail-operation.type", "Status"),
  location: channel(SYSTEM, "qty-port.name", "Status"),
  month: channel(SYSTEM, "qty-time/detail-calendar.month", "Calculated"),
  UVR_INTENSITY: channel(REACTOR, "qty~irradiance"),
  UVR_INTENSITY_NORMALIZED: channel(REACTOR, "qty~irradiance/calc-corrected", "Calculated"),
  UVR_POWER_OUTPUT: channel(REACTOR, "qty-relative.power"),
  UVR_POWER_SETPOINT: channel(REACTOR, "qty-relative.power/type-set.point", "SetPoint"),
  UVR_WATER_TEMP: channel(REACTOR, "qty-temperature/cnt-sea.water"),
  UVR_LEVEL: channel(REACTOR, "state-operational.state/detail-uv.level", "Status"),
  LDC_AIR_TEMP: channel(REACTOR, "qty-temperature/cnt-air/detail-lamp.drive.cabinet"),
  LDC_FAN_SPEED: channel(REACTOR, "qty-rotational.frequency/detail-lamp.drive.cabinet.fan"),
  LDC_FAN_STATUS: channel(REACTOR, "state-running.state/detail-lamp.drive.cabinet.fan", "Status"),
  LDC_WATER_ALARM: channel(REACTOR, "cnt-water/state-alarm/detail-lamp.drive.cabinet", "Alert"),
  FLT_DIFF_PRESSURE: channel(FILTER, "qty-differential.pressure"),
  FLT_MOTOR_STATUS: channel(FILTER, "state-operational.state/detail-motor", "Status"),
  FLT_BACKFLUSH_ACTIVE: channel(FILTER, "state-active/detail-backflush", "Status"),
  FLT_BACKFLUSH_COUNT: channel(FILTER, "qty-number/calc-accumulated/detail-backflush"),
  SYS_FLOW_RATE: channel(SYSTEM, "qty-volume.flow.rate/cnt-sea.water"),
  SYS_PRESSURE: channel(SYSTEM, "qty-pressure/cnt-sea.water"),
  SYS_VALVE_POSITION: channel(VALVE, "qty-opening.ratio"),
  SYS_TOTAL_BALLAST_VOL: channel(
    SYSTEM,
    "qty-volume/cnt-sea.water/calc-accumulated/detail-ballast",
  ),
  SYS_TOTAL_DEBALLAST_VOL: channel(
    SYSTEM,
    "qty-volume/cnt-sea.water/calc-accumulated/detail-deballast",
  ),
  SYS_EXTERNAL_FEED: channel(SYSTEM, "cnt-water/state-active/detail-external.feed", "Status"),
  CIP_HOURS_SINCE_LAST: channel(REACTOR, "qty-duration/detail-since.cleaning.in.place"),
  PLC_CPU_USAGE: channel(CONTROL, "qty-percentage/detail-processor.load"),
  PLC_RAM_USAGE: channel(CONTROL, "qty-percentage/detail-memory.in.use"),
  PLC_CPU_TEMP: channel(CONTROL, "qty-temperature/detail-processor"),
  PROCESS_STATE: channel(SYSTEM, "state-operational.state", "Status"),
  COMPLIANCE_MODE: channel(SYSTEM, "state~compliance.mode", "Status"),
  WATER_QUALITY: channel(SYSTEM, "cnt-sea.water/state~water.quality", "Status"),
  WATER_QUALITY_FACTOR: channel(SYSTEM, "qty-factor/cnt-sea.water", "Calculated"),
  AVG_LAMP_EFFICIENCY: channel(REACTOR, "qty-efficiency/calc-mean/detail-lamp", "Calculated"),
  FAILED_LAMP_COUNT: channel(
    REACTOR,
    "qty-number/calc-count/state-failure/detail-lamp",
    "Calculated",
  ),
  DEGRADATION_IMPACT_PCT: channel(
    REACTOR,
    "qty-percentage/calc-estimate/detail-output.lost.to.ageing",
    "Calculated",
  ),
  POWER_COMPENSATION_PCT: channel(
    REACTOR,
    "qty-percentage/calc-estimate/detail-power.added.for.ageing",
    "Calculated",
  ),
};

/** The fields of each lamp. VIS has no lamps: each is a position at the reactor. */
const LAMP_NAMES: Readonly<Record<LampField, Omit<ChannelName, "item">>> = {
  STATUS: { tags: "state-operational.state", type: "Status" },
  EFFICIENCY: { tags: "qty-efficiency", type: "Inst" },
  RUNTIME: { tags: "qty-running.time", type: "Inst" },
  POWER: { tags: "qty-electric.power", type: "Inst" },
};

/** Names of the columns that aren't fields. */
const BESIDE_NAMES: Readonly<Record<string, ChannelName>> = {
  [BESIDE.received]: channel(CONTROL, "qty-utc.date.time/detail-receipt"),
  [BESIDE.trusted]: channel(CONTROL, "state-valid/detail-clock", "Status"),
  [BESIDE.extra]: channel(CONTROL, "qty-text/detail-tags.outside.the.catalogue"),
  voided: channel(CONTROL, "state~hidden.by.a.void", "Status"),
};

/** Every channel's name by its column. */
const NAMES: ReadonlyMap<string, ChannelName> = new Map([
  ...Object.entries(SYSTEM_NAMES),
  ...LAMP_NUMBERS.flatMap((lamp) =>
    Object.entries(LAMP_NAMES).map(([field, { tags, type }]) => {
      const name = channel(REACTOR, `${tags}/pos-${Number(lamp)}/detail-lamp`, type);
      return [`LAMP_${lamp}_${field}`, name] as const;
    }),
  ),
  ...Object.entries(BESIDE_NAMES),
]);

const BESIDE_TAGS: readonly { name: string; about: string; format: string }[] = [
  { name: BESIDE.received, about: "time at which ballastd received it", format: "DateTime" },
  { name: BESIDE.trusted, about: "the clock of this time was trusted", format: "Boolean" },
  { name: BESIDE.extra, about: "tags outside the catalogue, a JSON object", format: "String" },
  { name: "voided", about: "the engineer has hidden this reading", format: "Boolean" },
];

const FORMATS: Readonly<Record<TagType, string>> = {
  number: "Decimal",
  integer: "Integer",
  boolean: "Boolean",
  string: "String",
};

/** Symbols of the catalogue's units. A unit without a symbol here is left out. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ "W/m2": "W/m2", "%": "%", "% of rated": "%", bar: "bar", "m3/h": "m3/h", m3: "m3" },
  ...{ degC: "°C", rpm: "r/min", h: "h", W: "W" },
};

/** The ship and the system that the readings belong to, as configured; a text may be empty. */
export interface ExportSource {
  readonly id: string;
  readonly vessel: string;
  readonly imo: string;
  /** ballastd's version. */
  readonly version: string;
}

/** The ship's IMO number, or else its name, or else the id of its treatment system. */
export function shipId({ id, vessel, imo }: ExportSource): string {
  if (imo !== "") return /^\d/.test(imo) ? `IMO${imo}` : imo;
  return vessel === "" ? id : vessel;
}

/** The reference from a package to the list of its channels. */
export function channelListId({ id }: ExportSource) {
  return { ID: `ballastd-${id}`, TimeStamp: CHANNELS_CHANGED };
}

/** A data channel: its names, and what its values are. */
export interface DataChannel {
  /** The name in VIS. */
  readonly local_id: string;
  /** The name of the column. */
  readonly short_id: string;
  readonly type: ChannelType;
  readonly format: string;
  readonly unit: string | null;
  readonly about: string;
}

/** The channels of everything that an export of readings may hold. */
export const DATA_CHANNELS: readonly DataChannel[] = [
  ...TAGS.slice(1).map(({ name, about, type, unit }) => ({
    ...{ name, about, format: FORMATS[type], unit: UNITS[unit ?? ""] ?? null },
  })),
  ...BESIDE_TAGS.map((tag) => ({ ...tag, unit: null })),
].flatMap(({ name, ...tag }) => {
  const channelName = NAMES.get(name);
  // The types above have a name for each column: only a build that wasn't checked lacks one.
  if (channelName === undefined) return [];
  const { item, tags, type } = channelName;
  return [{ local_id: `${VIS}/${item}/meta/${tags}`, short_id: name, type, ...tag }];
});
