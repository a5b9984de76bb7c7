// Histories of a plant made by chance: operations with pauses of nothing to a day, in changing
// places, of which starts, stops and readings are lost, doubled, of one instant or late; and the
// orders in which they arrive. Readings say now and then nothing of type, place, flow or state.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import type { Random } from "./random.ts";

export interface HistoryItem {
  readonly kind: "events" | "telemetry";
  readonly content: Readonly<Record<string, unknown>> & { readonly timestamp: number };
}

export interface HistoryVoid {
  readonly what: "readings" | "events";
  readonly start_ms: number;
  readonly end_ms: number;
  readonly isUndone: boolean;
}

export interface History {
  /** In their order. */
  readonly items: readonly HistoryItem[];
  readonly voids: readonly HistoryVoid[];
}

const PAUSES_MS = [0, 4, 12, 25, 29, 33, 45, 70, 150, 300, 420, 800, 1400].map(
  (at) => at * MINUTE_MS,
);
const PLACES = ["Busan", "Ulsan", "Singapore"];

/** The plant's habits all along a history. */
interface Habits {
  readonly every_ms: number;
  readonly isSilentAtRest: boolean;
  readonly hasTotaliser: boolean;
  readonly hasPlace: boolean;
  readonly loss: number;
}

/** A history of one to four operations from a time on; it takes at most a week. */
export function generatedHistory(random: Random, from_ms: number): History {
  const habits: Habits = {
    every_ms: random.pick([5, 10, 10, 20]) * MINUTE_MS,
    isSilentAtRest: random.chance(0.2),
    hasTotaliser: random.chance(0.7),
    hasPlace: random.chance(0.5),
    loss: random.pick([0, 0, 0.02, 0.2]),
  };
  const items: HistoryItem[] = [];
  let [at_ms, total] = [from_ms, 1000];
  let place = random.pick(PLACES);
  let type = random.pick(["BALLAST", "DEBALLAST"]);
  const rest = (for_ms: number) => {
    const isTold = !habits.isSilentAtRest && !random.chance(0.1);
    for (let left_ms = for_ms; left_ms > 0; left_ms -= habits.every_ms) {
      if (isTold)
        items.push(readingAt(at_ms, { state: "IDLE", flow: 0, total, type: null, place }));
      at_ms += Math.min(left_ms, habits.every_ms);
    }
  };
  rest(random.between(10, 700) * MINUTE_MS);
  for (let left = random.between(1, 4); left > 0; left -= 1) {
    if (random.chance(0.4)) place = random.pick(PLACES);
    if (random.chance(0.3)) type = random.pick(["BALLAST", "DEBALLAST", "CIP"]);
    const data = random.chance(0.9) ? { operation_type: type, location: place } : {};
    items.push(
      ...eventsAt(random, "PROCESS_START", at_ms - random.pick([0, 5, 90]) * SECOND_MS, data),
    );
    const state = type === "CIP" ? "CIP" : random.pick(["RUNNING", "RUNNING", "RUNNING", "FAULT"]);
    const flow = type === "CIP" ? 0 : random.pick([500, 500, 40]);
    for (let count = random.between(2, 30); count > 0; count -= 1) {
      const isOdd = random.chance(0.05);
      const told = isOdd ? random.pick(["BYPASS", "IDLE", "STANDBY", "READY", "BACKFLUSH"]) : state;
      items.push(readingAt(at_ms, { state: told, flow, total, type, place }));
      total += (flow * habits.every_ms) / HOUR_MS;
      at_ms += habits.every_ms;
    }
    const late_ms = random.pick([0, 5, 60, 2400, 9000]) * SECOND_MS;
    items.push(...eventsAt(random, "PROCESS_STOP", at_ms + late_ms, data));
    rest(random.pick(PAUSES_MS));
  }
  rest(random.between(1, 500) * MINUTE_MS);
  const kept = items.flatMap((item) => keptOf(random, item, habits));
  kept.sort((one, other) => one.content.timestamp - other.content.timestamp);
  return { items: kept, voids: voidsOf(random, kept) };
}

interface Plant {
  readonly state: string;
  readonly flow: number;
  readonly total: number;
  readonly type: string | null;
  readonly place: string;
}

function readingAt(timestamp: number, { state, flow, total, type, place }: Plant): HistoryItem {
  const content = {
    ...{ timestamp, PROCESS_STATE: state, SYS_FLOW_RATE: flow, COMPLIANCE_MODE: "IMO" },
    ...{ UVR_INTENSITY: state === "IDLE" ? 0 : 400, SYS_TOTAL_BALLAST_VOL: total },
    ...{ SYS_TOTAL_DEBALLAST_VOL: 500, operation_type: type, location: place },
  };
  return { kind: "telemetry", content };
}

/** An event; it may be lost, or told again some seconds later. */
function eventsAt(
  random: Random,
  event_type: string,
  timestamp: number,
  data: object,
): readonly HistoryItem[] {
  if (random.chance(0.25)) return [];
  const event = { kind: "events" as const, content: { timestamp, event_type, data } };
  if (!random.chance(0.15)) return [event];
  const again_ms = random.pick([0, 1, 30, 59, 61, 400]) * SECOND_MS;
  const again = { ...event.content, timestamp: timestamp + again_ms };
  // Two of one instant tell different things.
  if (again_ms === 0) again.data = { operation_type: random.pick(["CIP", "cip", null]) };
  else if (random.chance(0.4)) again.data = { ...data, location: random.pick(PLACES) };
  else if (random.chance(0.3)) again.data = { ...data, operation_type: "DEBALLAST" };
  return [event, { ...event, content: again }];
}

function keptOf(random: Random, item: HistoryItem, habits: Habits): readonly HistoryItem[] {
  if (item.kind === "events") return [item];
  if (random.chance(habits.loss)) return [];
  const content: Record<string, unknown> & { timestamp: number } = { ...item.content };
  if (!habits.hasTotaliser) content.SYS_TOTAL_BALLAST_VOL = null;
  if (!habits.hasPlace || random.chance(0.1)) content.location = null;
  for (const name of ["PROCESS_STATE", "SYS_FLOW_RATE", "operation_type"])
    if (random.chance(0.02)) content[name] = null;
  return [{ ...item, content }];
}

function voidsOf(random: Random, items: readonly HistoryItem[]): readonly HistoryVoid[] {
  const time = () => random.pick(items).content.timestamp;
  return Array.from({ length: random.pick([0, 0, 1, 2]) }, () => {
    const start_ms = time();
    const end_ms = start_ms + random.pick([1, 3600, 20_000]) * SECOND_MS;
    const what = random.pick(["readings", "events"] as const);
    return { start_ms, end_ms, what, isUndone: random.chance(0.5) };
  });
}

/** Pieces in which a history arrives. */
export function arrivalsOf(
  random: Random,
  { items }: History,
): readonly (readonly HistoryItem[])[] {
  const way = random.pick(["live", "shuffled", "pieces", "late"] as const);
  if (way === "late") {
    const isLate = items.map(() => random.chance(0.15));
    const late = items.filter((_, index) => isLate[index]);
    return [items.filter((_, index) => !isLate[index]), ...cut(random.shuffled(late), 3)];
  }
  // Live means that it is derived between any two; that costs most, and some hundred say it too.
  if (way === "live") return cut(items, random.chance(0.1) ? items.length : 12);
  return cut(way === "shuffled" ? random.shuffled(items) : reordered(random, cut(items, 5)), 5);
}

const reordered = (random: Random, pieces: readonly (readonly HistoryItem[])[]) =>
  random.shuffled(pieces).flat();

function cut(items: readonly HistoryItem[], pieces: number): readonly (readonly HistoryItem[])[] {
  const size = Math.max(1, Math.ceil(items.length / pieces));
  const found: (readonly HistoryItem[])[] = [];
  for (let from = 0; from < items.length; from += size) found.push(items.slice(from, from + size));
  return found;
}

/** Histories of one database are so far apart that none touches another. */
export const HISTORY_MS = 14 * DAY_MS;
