// The operations of some days for /api/operations, from the events and from one walk over the
// readings, which starts earlier: an operation may have been under way.

import { operationAnswer } from "../../bwts/overview/operation-record.ts";
import {
  type FoundOperation,
  type OperationReading,
  type OperationSpan,
  operationsIn,
} from "../../bwts/overview/operation-runs.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { modeNamed } from "../../bwts/overview/verdict.ts";
import { asNumber, asText } from "../../bwts/reading.ts";
import { indexOfTag, type TagName } from "../../bwts/tags.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { operationNow } from "../derived/gaps.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";
import { toldByStart } from "./overview-operation.ts";

/** The readings before the range that tell of an operation under way. */
const LEAD_MS = 2 * DAY_MS;
const ANSWERED_MAX = 1_000;

/** Newest first. */
export function operationsJson(db: Connection, range: ClosedRange, limits: ShownLimits): string {
  const found = db.transaction(() => {
    const from_ms = Math.max(0, range.start_ms - LEAD_MS);
    const walk = { start_ms: from_ms, end_ms: range.end_ms };
    const spans = spansIn(db, walk, limits);
    const all = operationsIn({ spans, readings: readingsOf(db, walk), from_ms, limits });
    return isUnderWay(db, range.end_ms, limits) ? withOpenEnd(all) : all;
  })();
  const touching = found.filter(
    ({ start_ms, end_ms }) =>
      start_ms <= range.end_ms && (end_ms === null || end_ms >= range.start_ms),
  );
  return JSON.stringify(touching.reverse().slice(0, ANSWERED_MAX).map(operationAnswer));
}

/** True if the newest reading of the range is in an operation that no event tells of. */
function isUnderWay(db: Connection, end_ms: number, limits: ShownLimits): boolean {
  return operationNow(db, limits, end_ms).running?.known_by === "readings";
}

function withOpenEnd(found: readonly FoundOperation[]): readonly FoundOperation[] {
  const last = found.at(-1);
  if (last?.known_by !== "readings") return found;
  return [...found.slice(0, -1), { ...last, end_ms: null }];
}

/** The operations whose start was sent, and that weren't over when the walk begins. */
function spansIn(db: Connection, walk: ClosedRange, limits: ShownLimits): readonly OperationSpan[] {
  const spans: OperationSpan[] = [];
  let open: { readonly id: number; readonly start_ms: number } | null = null;
  const close = (end: Pick<OperationSpan, "stop_ms" | "next_ms">) => {
    const end_ms = end.stop_ms ?? end.next_ms;
    if (open === null || (end_ms !== null && end_ms < walk.start_ms)) return;
    const told = toldByStart(db, open.id) ?? { operation_type: null, location: null };
    spans.push({ ...told, ...end, start_ms: open.start_ms });
  };
  for (const { id, at_ms, event_type } of prepare(db, "event.processes").all({
    end_ms: walk.end_ms,
  })) {
    const isStart = event_type === "PROCESS_START";
    close(isStart ? { stop_ms: null, next_ms: at_ms } : { stop_ms: at_ms, next_ms: null });
    open = isStart ? { id, start_ms: at_ms } : null;
  }
  if (open !== null && (open.start_ms >= walk.start_ms || wasRunning(db, walk.start_ms, limits)))
    close({ stop_ms: null, next_ms: null });
  return spans;
}

function wasRunning(db: Connection, at_ms: number, limits: ShownLimits): boolean {
  return operationNow(db, limits, at_ms).running?.known_by === "events";
}

function* readingsOf(db: Connection, walk: ClosedRange): Generator<OperationReading> {
  for (const { block, from, to } of timeline(db, walk, UNDAMAGED)) {
    const column = (name: TagName) => block.values(indexOfTag(name));
    const [state, flow] = [column("PROCESS_STATE"), column("SYS_FLOW_RATE")];
    const [intensity, mode] = [column("UVR_INTENSITY"), column("COMPLIANCE_MODE")];
    const [type, location] = [column("operation_type"), column("location")];
    const [ballast, deballast] = [
      column("SYS_TOTAL_BALLAST_VOL"),
      column("SYS_TOTAL_DEBALLAST_VOL"),
    ];
    for (let index = from; index < to; index += 1)
      yield {
        ...{ at_ms: block.at_ms(index), state: state(index), flow_m3_h: asNumber(flow(index)) },
        ...{ intensity_w_m2: asNumber(intensity(index)), mode: modeNamed(mode(index)) },
        ...{ operation_type: asText(type(index)), location: asText(location(index)) },
        ...{ ballast_m3: asNumber(ballast(index)), deballast_m3: asNumber(deballast(index)) },
      };
  }
}
