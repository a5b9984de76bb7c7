// THE TABLE OF ALERTS: for each code of ballastd's own its priority, meaning and remedy. The jobs,
// the API, the page and the manual use it. The treatment system's alarms have the highest priority;
// none of ballastd's own is above a warning, because the plant's alarms govern. Without zod: it is
// part of the page.

import type { Priority } from "./priority.ts";

export interface AboutAlert {
  readonly priority: Exclude<Priority, "alarm">;
  readonly meaning: string;
  readonly action: string;
  /** The manual's section about this alert. */
  readonly manual?: string;
}

const LOOK = "the treatment system's own alarms govern";

export const ALERTS = {
  UV_BELOW_LIMIT: {
    priority: "warning",
    meaning: "Water is treated, and the UV intensity is below the limit of the compliance mode.",
    action: `Reduce the flow, look at lamps and sleeves, and at the water; ${LOOK}.`,
  },
  FLOW_ABOVE_CERTIFIED: {
    priority: "warning",
    meaning: "The flow is above the certified flow.",
    action: "Reduce the flow: above it the treatment isn't as certified.",
  },
  WATER_UNTREATED: {
    priority: "warning",
    meaning: "Water moves while the treatment system is in a state in which it treats none.",
    action: `Close the valve or stop the pump, and look why it doesn't treat; ${LOOK}.`,
  },
  FILTER_DP_HIGH: {
    priority: "caution",
    meaning: "The filter's differential pressure is above its first limit, not during discharge.",
    action: `Look at the backflush and the filter; ${LOOK}.`,
  },
  FILTER_DP_ALARM: {
    priority: "warning",
    meaning: "The filter's differential pressure is above its second limit, not during discharge.",
    action: `Reduce the flow, and clean the filter; ${LOOK}.`,
  },
  CABINET_HOT: {
    priority: "caution",
    meaning: "The air in the lamp drive cabinet is warmer than its first limit.",
    action: "Look at the cabinet's fan, its filter mats and its cooling water.",
  },
  CABINET_TRIP: {
    priority: "warning",
    meaning: "The air in the lamp drive cabinet is warmer than its second limit.",
    action: `Expect the plant to trip, and look at the cabinet's cooling now; ${LOOK}.`,
  },
  LAMP_FAILED: {
    priority: "warning",
    meaning: "A lamp has failed.",
    action: "Replace the lamp, or look at its power supply; then tell ballastd of the new lamp.",
    manual: "lamps.md",
  },
  LAMP_NEAR_END: {
    priority: "caution",
    meaning: "A lamp is expected to reach its end soon.",
    action: "Have a spare lamp aboard, and plan its replacement.",
    manual: "lamps.md",
  },
  CIP_DUE: {
    priority: "caution",
    meaning: "The last cleaning in place (CIP) is longer ago than its interval.",
    action: "Clean the reactor in place, as its maker's manual says.",
  },
  SENSOR_IMPLAUSIBLE: {
    priority: "caution",
    meaning:
      "A field has a value that no plant has: a broken wire, a wrong scale. It is stored, and is " +
      "no value for results.",
    action:
      "Look at the sensor, its wire and its card, and at the scale in the PLC. If the value can " +
      "be right, set the sensor's span in the configuration.",
    manual: "connecting-a-plc.md#values-that-arent-believed",
  },
  SENSOR_BAD_QUALITY: {
    priority: "caution",
    meaning:
      "The source marks values as of bad quality. They are stored, and are no values for results.",
    action: "Look at the link between the gateway and the PLC, and at the sensors that are named.",
    manual: "connecting-a-plc.md#values-that-arent-believed",
  },
  NO_DATA: {
    priority: "warning",
    meaning: "No readings come, although an operation is running.",
    action:
      "Look whether the PLC runs and its cable is in; /readyz says how long ago readings came.",
  },
  PLC_LINK_LOST: {
    priority: "warning",
    meaning: "A PLC's connection broke without a goodbye: its last will came.",
    action: "As for NO_DATA. The alert is over when that PLC connects again.",
  },
  BROKER_LOST: {
    priority: "warning",
    meaning:
      "Messages can't be received: the ship's broker isn't reached, or a broker's address isn't " +
      "there.",
    action: "Read the reason in /readyz; ballastd tries again by itself.",
  },
  CLOCK_NOT_TRUSTED: {
    priority: "warning",
    meaning: "The PC's clock can't be right. Readings are stored and flagged.",
    action: "Set the PC's clock to UTC.",
    manual: "operating.md#clocks",
  },
  READINGS_AHEAD: {
    priority: "caution",
    meaning:
      "The newest reading is dated later than a trusted clock. No reading expires meanwhile.",
    action: "Set the PLC's clock, then hide these readings.",
    manual: "operating.md#hide-wrong-readings",
  },
  PLC_CLOCK_WRONG: {
    priority: "caution",
    meaning:
      "PLC's and computer's clocks differ by over five minutes, or readings come by two clocks.",
    action:
      "Set the clock that is wrong to UTC; for a PLC with ship's time set mqtt.plc_utc_offset.",
    manual: "operating.md#clocks",
  },
  MESSAGES_QUARANTINED: {
    priority: "caution",
    meaning: "Live messages are quarantined. They are kept, and no results have them.",
    action: "Mend what the alert's text names, then take the messages in on the page System.",
    manual: "operating.md#messages-in-quarantine",
  },
  PLANT_ALARM_QUARANTINED: {
    priority: "warning",
    meaning: "An alarm of the treatment system came in a message that is quarantined.",
    action: `Look at the treatment system's panel, and at why it is quarantined; ${LOOK}.`,
    manual: "operating.md#messages-in-quarantine",
  },
  QUARANTINE_FULL: {
    priority: "warning",
    meaning: "The quarantine is more than 80 % full. Beyond its limit it keeps no payloads.",
    action: "Mend what fills it, take the messages in, or raise quarantine.max_bytes.",
    manual: "operating.md#messages-in-quarantine",
  },
  DATA_DAMAGED: {
    priority: "warning",
    meaning: "Stored data is damaged. It is left out of answers, everything else goes on.",
    action: "Type ballastd check in a terminal of the PC.",
    manual: "storage.md#a-damaged-database",
  },
  DISK_LOW: {
    priority: "caution",
    meaning: "Little disk space is free.",
    action: "Free space in the data folder's file system.",
    manual: "operating.md#disk-full",
  },
  CERTIFICATE_ENDS: {
    priority: "caution",
    meaning: "A TLS certificate has ended, ends within 30 days, or can't be read.",
    action: "Have a new one made, and copy it over the old one; ballastd takes it by itself.",
    manual: "security.md",
  },
  SHORE_BEHIND: {
    priority: "caution",
    meaning: "The shore gave no answer for longer than shore.alarm_hours. All is kept aboard.",
    action: "Look at the ship's link to the internet; ballastd shore status tells the reason.",
    manual: "fleet.md",
  },
  SHORE_REFUSED: {
    priority: "caution",
    meaning: "The shore refuses the ship's key, or something that was sent.",
    action: "Tell the office what ballastd shore status says; everything else goes on.",
    manual: "fleet.md",
  },
  SHORE_FORK: {
    priority: "warning",
    meaning:
      "The shore has data of this ship that this box hasn't: it was put back from a backup, or " +
      "another box uses the ship's key. Both branches are kept ashore.",
    action: "Tell the office; if another box is in use, take it off, or give each its own key.",
    manual: "fleet.md",
  },
  HISTORY_REPLACED: {
    priority: "warning",
    meaning:
      "The stored data isn't the one that was signed here before: it was put back from a backup, " +
      "copied, or rewritten. Operations may be missing.",
    action:
      "Find out who replaced it and why, note it, and compare with the office and with prints.",
    manual: "ledger.md#origins-and-keys",
  },
  LAMP_COUNTERS_FAST: {
    priority: "caution",
    meaning:
      "Lamp counters run faster than the clock. Forecasts divide them by a plain factor, or stop.",
    action: "Give the right factor in the map; the alert's text has the rule to copy.",
    manual: "connecting-a-plc.md#a-plc-that-speaks-otherwise",
  },
  TAG_NAMES_FULL: {
    priority: "caution",
    meaning: "4,096 names of unknown tags are kept; further names go to quarantine.",
    action: 'Give the PLC\'s tags fixed names, or set map.unmapped = "drop".',
  },
  JOB_FAILING: {
    priority: "caution",
    meaning: "Work in the background fails.",
    action: "Type ballastd check in a terminal of the PC.",
  },
} as const satisfies Readonly<Record<string, AboutAlert>>;

/** A code of ballastd's own. */
export type OwnCode = keyof typeof ALERTS;

/**
 * Code of the shared alert for alarms of the treatment system beyond the maximum number of
 * different ones.
 */
export const FURTHER_ALARMS = "FURTHER_ALARMS";

const OF_THE_PLANT = {
  priority: "alarm",
  action: "Look at the treatment system's panel: its alarm governs, and stays there.",
} as const;

function isOwnCode(code: string | null): code is OwnCode {
  return code !== null && Object.keys(ALERTS).includes(code);
}

/** Priority and remedy of an alert; a code of an earlier version is a caution. */
export function aboutAlert(
  source: "ballastd" | "plc",
  code: string | null,
): { readonly priority: Priority; readonly action: string } {
  if (source === "plc") return OF_THE_PLANT;
  return isOwnCode(code)
    ? ALERTS[code]
    : { priority: "caution", action: "Type ballastd check in a terminal of the PC." };
}

/** True if an alert of ballastd's own stays until somebody has acknowledged it. */
export function needsAcknowledgement(code: string): boolean {
  return aboutAlert("ballastd", code).priority === "warning";
}
