// Finds the malfunctions of the treatment system in an operation: its state was FAULT, or an alarm
// reported a failure. Malfunctions that are close together are one, since the officer enters them
// as one. Low UV alone isn't one: it may be caused by the water.

import type { Operation } from "../operations/operation.ts";

/** ballastd's own alerts that report a failure of the treatment system. */
const OWN_FAILURES: ReadonlySet<string> = new Set(["LAMP_FAILED", "CABINET_TRIP"]);

/** Words in the codes of a plant's alarms that mean a failure: LPS_FAULT, PUMP_TRIP. */
const FAILURE_WORD =
  /(^|[^A-Z])(FAULT|FAIL|FAILED|FAILURE|TRIP|TRIPPED|MALFUNCTION|DEFECT)([^A-Z]|$)/;

const FAULT_RULE = "fault";

const MINUTE_MS = 60_000;
/** Maximum time between failures that are entered as one. */
const CLOSE_MS = 10 * MINUTE_MS;
/** Maximum time between a lamp's alarm and the first reading that shows the lamp out. */
const LAMP_NEAR_MS = 3 * MINUTE_MS;

interface FailureSign {
  readonly start_ms: number;
  /** Time of the end; null if it isn't known. */
  readonly end_ms: number | null;
  /** The alarm's code; null: the state was FAULT. */
  readonly code: string | null;
}

export interface Malfunction {
  readonly start_ms: number;
  readonly end_ms: number | null;
  readonly signs: readonly FailureSign[];
}

/** The malfunctions of an operation, in order of time. */
export function malfunctionsOf(operation: Operation): readonly Malfunction[] {
  const signs = [...faults(operation), ...failureAlarms(operation)].sort(
    (one, other) => one.start_ms - other.start_ms,
  );
  const found: { start_ms: number; end_ms: number | null; signs: FailureSign[] }[] = [];
  for (const sign of signs) {
    const last = found.at(-1);
    const reach_ms = last === undefined ? 0 : reachOf(last.signs);
    if (last === undefined || sign.start_ms - reach_ms > CLOSE_MS) {
      found.push({ start_ms: sign.start_ms, end_ms: sign.end_ms, signs: [sign] });
      continue;
    }
    last.signs.push(sign);
    last.end_ms = endOfAll(last.signs);
  }
  return found;
}

const reachOf = (signs: readonly FailureSign[]) =>
  Math.max(...signs.map(({ start_ms, end_ms }) => end_ms ?? start_ms));

/** The latest known end of the signs; a plant's alarm has none. */
function endOfAll(signs: readonly FailureSign[]): number | null {
  const ends = signs.flatMap(({ end_ms }) => (end_ms === null ? [] : [end_ms]));
  return ends.length === 0 ? null : Math.max(...ends);
}

function faults({ reasons, end }: Operation): readonly FailureSign[] {
  return reasons
    .filter(({ rule, is_hidden }) => rule === FAULT_RULE && !is_hidden)
    .map((reason) => ({
      start_ms: Date.parse(reason.start),
      // A fault that lasts until the operation's end may go on.
      end_ms: reason.end === end ? null : Date.parse(reason.end),
      code: null,
    }));
}

function failureAlarms({ alerts, lamps_out, end }: Operation): readonly FailureSign[] {
  return alerts
    .filter(({ code, source }) => isFailure(code, source))
    .map(({ code, raised }) => {
      const start_ms = Date.parse(raised);
      const lamp = /LAMP/.test(code)
        ? lamps_out.find(
            (out) => Math.abs(Date.parse(out.start) - start_ms) <= LAMP_NEAR_MS && out.end !== end,
          )
        : undefined;
      return { start_ms, end_ms: lamp === undefined ? null : Date.parse(lamp.end), code };
    });
}

/** True for an alarm that reports a failure of the treatment system. */
export function isFailure(code: string, source: string): boolean {
  if (source !== "plc") return OWN_FAILURES.has(code);
  return FAILURE_WORD.test(code.toUpperCase());
}
