// The ship's limits as they were at each time: walked back from those of the latest start, by the
// changes that the audit log records. A limit that was changed while ballastd was off counts from
// the next start on. A clock that wasn't trusted dates no change, so such a change counts from the
// last moment that is certain; and none counts later than the one after it.

import type { LimitsFrom } from "../../bwts/operations/judging.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { storedJson } from "./event-proof.ts";

const PREFIX = "limits.";

/** Ascending; the first counts for all time before it too. `present` are the configuration's. */
export function limitsInForce(db: Connection, present: ShownLimits): readonly LimitsFrom[] {
  return memo(db, "limits_in_force", () => {
    const settings = prepare(db, "setting.all").all({});
    let limits = withValues(
      present,
      settings.flatMap(({ key, value, salt }) =>
        key.startsWith(PREFIX) && salt === null ? [[key, storedJson(value, `setting ${key}`)]] : [],
      ),
    );
    let until_ms = Number.MAX_SAFE_INTEGER;
    const found: LimitsFrom[] = [];
    for (const { detail, from_ms } of prepare(db, "audit.limit_changes").all({})) {
      const at_ms = Math.min(Number(from_ms), until_ms);
      if (at_ms < until_ms) found.unshift({ from_ms: at_ms, limits });
      until_ms = at_ms;
      limits = withValues(limits, before(storedJson(detail, "an entry of the audit log")));
    }
    return [{ from_ms: 0, limits }, ...found];
  });
}

type LimitValues = readonly (readonly [string, unknown])[];

/** The values before a change, by their keys. */
function before(detail: unknown): LimitValues {
  return Object.entries(Object(detail)).map(([key, change]) => [key, Object(change).before]);
}

/** A value of another kind, such as that of a key that is new, leaves the limit as it is. */
function withValues(limits: ShownLimits, values: LimitValues): ShownLimits {
  const known = new Map<string, unknown>(Object.entries(limits));
  const taken = values.flatMap(([key, value]) => {
    const name = key.slice(PREFIX.length);
    const isLimit = key.startsWith(PREFIX) && typeof value === typeof known.get(name);
    return isLimit && known.has(name) ? [[name, value]] : [];
  });
  return { ...limits, ...Object.fromEntries(taken) };
}
