// The UV intensity of the newest operations, for its fall over months. A version of an operation
// never changes, so its intensity is kept in memory.

import { LRUCache } from "lru-cache";
import type { StoredForecast } from "../../bwts/lamps/outlook.ts";
import { isCleaning } from "../../bwts/operations/operation-words.ts";
import type { OperationLight } from "../../bwts/present/operation-fall.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { storedOperation } from "../records/operation-rows.ts";

/** Maximum number of newest operations used for the fall. */
const OPERATIONS_MAX = 20;
/**
 * Maximum number of operations searched, because cleanings and operations without light lie
 * between.
 */
const LOOKED_AT_MAX = 3 * OPERATIONS_MAX;
/** Minimum number of readings for a mean. */
const READINGS_MIN = 5;
/** Number of new lamps after which earlier operations aren't comparable. */
const LAMPS_RENEWED = 4;
const KEPT_MAX = 1000;

interface KeptLight {
  readonly light: OperationLight | null;
}
const byConnection = new WeakMap<Connection, LRUCache<string, KeptLight>>();

/**
 * The UV intensities of operations that ended up to `end_ms`, ascending in time, since the lamps
 * were renewed.
 */
export function operationLights(
  db: Connection,
  { end_ms, forecasts }: { readonly end_ms: number; readonly forecasts: readonly StoredForecast[] },
): readonly OperationLight[] {
  const kept = byConnection.get(db) ?? new LRUCache<string, KeptLight>({ max: KEPT_MAX });
  byConnection.set(db, kept);
  const any = { operation_type: null, location: null, verdict: null };
  const range = { start_ms: renewedAt(forecasts), end_ms, ...any, limit: LOOKED_AT_MAX };
  const lights: OperationLight[] = [];
  for (const { id, version } of prepare(db, "operation.page").all(range)) {
    const key = `${id} ${version}`;
    const known = kept.get(key) ?? { light: lightOf(db, id) };
    kept.set(key, known);
    const { light } = known;
    if (light !== null && light.start_ms >= range.start_ms && light.end_ms <= end_ms)
      lights.push(light);
    if (lights.length === OPERATIONS_MAX) break;
  }
  return lights.reverse();
}

function renewedAt(forecasts: readonly StoredForecast[]): number {
  const fitted = forecasts.map(({ current_state }) => Date.parse(current_state.fitted));
  return fitted.sort((one, other) => other - one)[LAMPS_RENEWED - 1] ?? EVER.start_ms;
}

/** The UV intensity of an operation; null for a cleaning, a running one, and one without light. */
function lightOf(db: Connection, id: number): OperationLight | null {
  const operation = withoutDamage(db, () => storedOperation(db, id));
  if (operation === null || operation.end === null) return null;
  if (isCleaning(operation)) return null;
  const { UVR_INTENSITY: light, UVR_POWER_OUTPUT: power } = operation.values;
  if (light.mean === null || light.mean <= 0 || light.readings < READINGS_MIN) return null;
  return {
    ...{ start_ms: Date.parse(operation.start), end_ms: Date.parse(operation.end) },
    ...{ intensity_w_m2: light.mean, power_pct: power.mean },
  };
}
