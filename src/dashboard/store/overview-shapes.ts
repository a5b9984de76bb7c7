// The answer of /api/overview as the panels of the page use it: each member validated, and null if
// it is unknown. Hours, seconds and percents are as answered.

import type { Doubt } from "../../bwts/plausible.ts";
import type { LampStatus } from "../../bwts/plc-word.ts";
import type { Lacking } from "../../bwts/present/lacking.ts";
import type { LampCondition } from "../../bwts/present/lamp-condition.ts";
import type { Finish, Volume } from "../../bwts/present/operation.ts";
import type { ToDo, VerdictState } from "../../bwts/present/present-words.ts";
import type { AlertState, Priority } from "../../bwts/present/priority.ts";
import type { NoTimeReason } from "../../bwts/present/time-to-limit.ts";
import type { Valid } from "./checks.ts";
import type { MeasureName } from "./overview-units.ts";

/** A number with the time of its reading. */
export interface ShownNumber {
  /** The value; null if there is none or if it is doubtful. */
  readonly value: number | null;
  /** The doubtful number, with the reason. */
  readonly doubted: { readonly value: number; readonly why: Doubt } | null;
  readonly at_ms: number | null;
}

/** The times of the newest reading. */
export interface ReadingTimes {
  readonly at_ms: number;
  /** The plant's clock less ballastd's, in seconds; 0 if it isn't known. */
  readonly offset_s: number;
  /** Age in seconds above which a reading isn't the present any more. */
  readonly silence_s: number;
}

export interface ShownVerdict {
  readonly state: VerdictState;
  /** The facts that are missing for a verdict. */
  readonly because: readonly Lacking[];
  /** True if there is nothing to do. */
  readonly isTicked: boolean;
  readonly toDo: readonly ToDo[];
  /** The controller's state, as its word. */
  readonly process: string | null;
  readonly mode: string | null;
  /** The mode as the plant sent it; the word may be unknown. */
  readonly modeWord: string | null;
  readonly isOld: boolean;
  readonly isRunning: boolean;
  readonly reading_ms: number | null;
  readonly hiddenFor: string | null;
}

export interface ShownAges {
  readonly reading_ms: number | null;
  /** Time of the newest receipt of readings, by ballastd's clock. */
  readonly received_ms: number | null;
  readonly offset_s: number | null;
  readonly silence_s: number;
  /** Time since readings last arrived, when the answer was made. */
  readonly received_ago_s: number | null;
}

/** The hours to the limit of the mode in force, and to each limit. */
export interface ShownTimeToLimit extends ShownHours {
  readonly mode: string | null;
  readonly limit: number | null;
  readonly fall: number | null;
  readonly points: number;
  /** The forecast from operation to operation; null if it isn't known. */
  readonly over: ShownOverOperations | null;
  /** The hours to the limit of each mode. */
  readonly each: readonly (ShownHours & { readonly name: string })[];
}

export interface ShownOverOperations {
  readonly operations: number;
  readonly isAtEqualPower: boolean;
  readonly fall: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason: NoTimeReason | null;
}

export interface ShownHours {
  readonly hours: number | null;
  readonly low_h: number | null;
  readonly high_h: number | null;
  readonly reason: NoTimeReason | null;
}

export interface ShownIntensity {
  readonly intensity: ShownNumber;
  readonly mode: string | null;
  readonly uv_imo: number;
  readonly uv_uscg: number;
  readonly uv_target: number;
  readonly source: string | null;
}

export interface ShownLamp {
  readonly lamp: number;
  readonly state: LampStatus;
  readonly status: string | null;
  readonly condition: LampCondition;
  /** Time since which the lamp is past its life, and its hours since; null for another lamp. */
  readonly past: { readonly since_ms: number; readonly hours: number } | null;
  /** Time since which the lamp's output isn't known; null while it is. */
  readonly no_light_since_ms: number | null;
  readonly efficiency: number | null;
  readonly runtime_h: number | null;
  readonly power_w: number | null;
  readonly at_ms: number | null;
  readonly left_h: number | null;
  readonly p05_h: number | null;
  readonly p95_h: number | null;
  readonly operations: number | null;
  readonly basis: string | null;
}

export interface ShownLamps {
  readonly lamps: readonly ShownLamp[];
  readonly isSuspended: boolean;
}

/** A field with its limits, in the order in which a worsening value reaches them. */
export interface ShownMeasure extends ShownNumber {
  readonly name: MeasureName;
  readonly limits: readonly number[];
  /** Value at the end of the bar. */
  readonly full: number;
}

export interface ShownOperation {
  readonly type: string | null;
  readonly location: string | null;
  readonly since_ms: number;
  readonly volume_m3: number | null;
  readonly by: Volume["by"] | null;
  readonly usual: {
    readonly volume_m3: number;
    readonly n: number;
    readonly isHere: boolean;
  } | null;
  readonly hours_left: number | null;
  readonly canFinish: Finish["can_finish"];
  readonly lampsAtRisk: readonly number[];
}

export interface ShownHealth {
  readonly at_ms: number;
  readonly score: number | null;
  readonly risk: string | null;
}

export interface PastAlert {
  readonly priority: Priority;
  readonly state: AlertState;
  readonly description: string;
  readonly since_ms: number | null;
}

export interface PastAlerts {
  /** Number of alerts that were open. */
  readonly open: number;
  /** The most urgent of these alerts. */
  readonly shown: readonly PastAlert[];
}

/** The answer, one part for each panel; null for a part with another shape. */
export interface ShownOverview {
  /** Id of an event: a stream that begins after it misses nothing; null if the answer has none. */
  readonly last_event_id: string | null;
  readonly verdict: Valid<ShownVerdict> | null;
  readonly ages: Valid<ShownAges> | null;
  readonly toLimit: Valid<ShownTimeToLimit> | null;
  readonly intensity: Valid<ShownIntensity> | null;
  readonly lamps: Valid<ShownLamps> | null;
  readonly measures: Valid<readonly ShownMeasure[]> | null;
  readonly operation: Valid<ShownOperation | null> | null;
  readonly health: Valid<ShownHealth | null> | null;
  readonly alerts: Valid<PastAlerts> | null;
}
