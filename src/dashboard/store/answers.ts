// Reads the answers that all pages share, with the checks of checks.ts. Each reader returns null
// for an unknown shape, and the part of the page that needs it reports that.

import type { ScoredLimit } from "../../bwts/health-parts.ts";
import type { AlarmAnswer } from "../../bwts/present/alarm.ts";
import {
  ALERT_STATES,
  type AlertState,
  isAwaited,
  PRIORITIES,
} from "../../bwts/present/priority.ts";
import type { Readiness } from "../../bwts/readiness.ts";
import {
  flagOrNull,
  instant,
  isLike,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
} from "./checks.ts";

/** Members of an API's answer; null if the answer lacks them. */
type MembersOf<Answer, Name extends keyof Answer> = { readonly [Key in Name]: Answer[Key] | null };

/** An open alert: active, or ended and not acknowledged. */
export interface OpenAlert extends Pick<AlarmAnswer, "code" | "description" | "priority"> {
  readonly since_ms: number | null;
  /** State; null if the answer doesn't give it. */
  readonly state: AlertState | null;
  /** True while the alert is shelved until some time. */
  readonly isShelved: boolean;
  readonly lamp: number | null;
  readonly value: number | null;
  /** True for an alert about a lamp near its end that is past its life by now. */
  readonly isPastLife?: boolean;
}

/** Limits of the type approval certificate, as configured aboard; UV in W/m2, flow in m3/h. */
export interface Limits extends Readonly<Record<LimitName, number | null>> {
  readonly source: string | null;
}

type LimitName = "uv_imo" | "uv_uscg" | "flow_max_imo" | ScoredLimit;

export interface ShownReadiness extends Pick<Readiness, "ready" | "reasons" | "simulated"> {
  readonly system_id: string | null;
  readonly vessel: string | null;
  readonly imo: string | null;
  readonly utc_offset: string;
  readonly mqtt:
    | (MembersOf<Readiness["mqtt"], "where" | "connected" | "clients"> & {
        readonly login_refused_ms: number | null;
      })
    | null;
  readonly clock_trusted: boolean | null;
  /** Live messages being quarantined; null: none, or not known. */
  readonly quarantining: ShownQuarantining | null;
  /** Difference of a wrong PLC clock, PLC less ballastd; null: it is right, or that isn't known. */
  readonly plcClock: {
    readonly off_s: number;
    readonly problem: string | null;
    readonly isOneOfTwo: boolean;
  } | null;
  /** Further problems, whether ballastd is ready or not: `certificate http: it ended`. */
  readonly problems: readonly string[];
  /** Reason why messages aren't stored; null: they are stored. */
  readonly notStored: "disk_full" | "failing" | null;
  /** Limits; null if the answer has none: the page then shows the intensity without a verdict. */
  readonly limits: Limits | null;
}

export interface ShownQuarantining {
  readonly since_ms: number;
  readonly messages: number;
  /** Reasons, the most frequent first. */
  readonly reasons: readonly string[];
  /** True if no reading has arrived since. */
  readonly areAll: boolean;
  readonly problem: string | null;
}

export interface ShownVersion {
  readonly version: string;
  readonly commit: string | null;
}

/**
 * Path of all open alerts. The limit is the answer's maximum, because a cut list has only the
 * newest.
 */
export const OPEN_ALERTS = "/api/alarms?state=open&limit=10000";

export const readAlarms: Read<readonly OpenAlert[]> = (body) => {
  const known = listOf(body, openAlert);
  return known === null ? null : { value: [...known.value].sort(byUrgency) };
};

function byUrgency(one: OpenAlert, other: OpenAlert): number {
  const rank = ({ priority }: OpenAlert) => PRIORITIES.indexOf(priority);
  return (
    Number(one.isShelved) - Number(other.isShelved) ||
    rank(one) - rank(other) ||
    Number(isAwaited(other)) - Number(isAwaited(one)) ||
    (one.since_ms ?? 0) - (other.since_ms ?? 0)
  );
}

export const readReadiness: Read<ShownReadiness> = (body) => {
  if (!isLike<Readiness>(body) || typeof body.ready !== "boolean") return null;
  const system = isLike<Readiness["system"]>(body.system) ? body.system : {};
  const reasons = Array.isArray(body.reasons) ? body.reasons : [];
  return {
    value: {
      ready: body.ready,
      reasons: reasons.filter((reason) => typeof reason === "string"),
      simulated: body.simulated === true,
      system_id: textOrNull(system.id),
      vessel: textOrNull(system.vessel),
      imo: textOrNull(system.imo),
      utc_offset: textOrNull(system.utc_offset) ?? "",
      mqtt: isLike<Readiness["mqtt"]>(body.mqtt) ? mqttLink(body.mqtt) : null,
      problems: problemsIn(body),
      notStored: notStoredIn(body.not_stored),
      clock_trusted: trustIn(body.clock),
      quarantining: quarantiningIn(body.quarantining),
      plcClock: plcClockIn(body.plc_clock),
      limits: isLike<Limits>(body.limits) ? limits(body.limits) : null,
    },
  };
};

const notStoredIn = (given: unknown): ShownReadiness["notStored"] =>
  given === "disk_full" || given === "failing" ? given : null;

const LABELS: Readonly<Record<string, string>> = { mqtt: "MQTT", certificates: "certificate" };

type Troubled = Record<"problem" | "name" | "use", string>;

/** The `problem` of each member, or of its elements, with a label; future members are shown too. */
function problemsIn(body: object): readonly string[] {
  return Object.entries(body).flatMap(([member, given]) => {
    const label = LABELS[member] ?? member.replace(/_/g, " ");
    const parts = Array.isArray(given) ? given : [given];
    return parts.filter(isLike<Troubled>).flatMap((part) => {
      const problem = textOrNull(part.problem);
      const which = textOrNull(part.name) ?? textOrNull(part.use);
      return problem === null ? [] : [`${label}${which === null ? "" : ` ${which}`}: ${problem}`];
    });
  });
}

export const readVersion: Read<ShownVersion> = (body) =>
  isLike<ShownVersion>(body) && typeof body.version === "string"
    ? { value: { version: body.version, commit: textOrNull(body.commit) } }
    : null;

/** An alert of /api/alarms as the bar needs it; null for another shape. */
export function openAlert(given: unknown): OpenAlert | null {
  if (!isLike<AlarmAnswer>(given) || typeof given.description !== "string") return null;
  // Default priority: the plant's own alerts count as alarms, ballastd's as warnings.
  const untold = given.source === "plc" ? "alarm" : "warning";
  return {
    code: textOrNull(given.code),
    since_ms: instant(given.since),
    description: given.description,
    priority: PRIORITIES.find((one) => one === given.priority) ?? untold,
    state: ALERT_STATES.find((one) => one === given.alert_state) ?? null,
    isShelved: textOrNull(given.shelved_until) !== null,
    lamp: numberOrNull(given.lamp),
    value: numberOrNull(given.value),
  };
}

function mqttLink(given: UncheckedAnswer<Readiness["mqtt"]>): ShownReadiness["mqtt"] {
  return {
    where: textOrNull(given.where),
    connected: flagOrNull(given.connected),
    clients: numberOrNull(given.clients),
    login_refused_ms: instant(given.login_refused),
  };
}

function trustIn(clock: unknown): boolean | null {
  return isLike<Readiness["clock"]>(clock) ? flagOrNull(clock.trusted) : null;
}

function quarantiningIn(given: unknown): ShownQuarantining | null {
  if (!isLike<NonNullable<Readiness["quarantining"]>>(given)) return null;
  const since_ms = instant(given.since);
  const messages = numberOrNull(given.messages);
  if (since_ms === null || messages === null) return null;
  const reasons = listOf(given.reasons, (one) =>
    isLike<{ reason: unknown }>(one) ? textOrNull(one.reason) : null,
  );
  return {
    ...{ since_ms, messages, reasons: reasons?.value ?? [], areAll: given.all === true },
    problem: textOrNull(given.problem),
  };
}

function plcClockIn(given: unknown): ShownReadiness["plcClock"] {
  if (!isLike<NonNullable<Readiness["plc_clock"]>>(given)) return null;
  const off_s = numberOrNull(given.off_seconds);
  const isOneOfTwo = given.two_clocks === true;
  return off_s === null ? null : { off_s, problem: textOrNull(given.problem), isOneOfTwo };
}

function limits(given: UncheckedAnswer<Limits>): Limits {
  return {
    uv_imo: numberOrNull(given.uv_imo),
    uv_uscg: numberOrNull(given.uv_uscg),
    uv_target: numberOrNull(given.uv_target),
    flow_max_imo: numberOrNull(given.flow_max_imo),
    cabinet_warn: numberOrNull(given.cabinet_warn),
    cabinet_trip: numberOrNull(given.cabinet_trip),
    source: textOrNull(given.source),
  };
}
