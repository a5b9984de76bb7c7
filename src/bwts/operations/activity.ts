// Readings joined to stretches of one activity. Operations are found in stretches, of which there
// are few, and not in readings. Pure.

import { DAY_MS, MINUTE_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { TOTALISER_FIELDS } from "../treating.ts";
import { openReach } from "./change-reach.ts";
import type { ReadingRun } from "./judging.ts";
import {
  type Doing,
  KNOWN_MS,
  openPlant,
  type Plant,
  type StretchActivity,
} from "./plant-activity.ts";
import { BLIND_MS, firstDistance, recentTimes, type TimeBetween } from "./recent-times.ts";
import { type MovingLimit, RISING_SURE_MS } from "./rising.ts";
import { type UnreadTime, unreadTimes } from "./unread-times.ts";
import { type TotalsAt, type UnseenWater, unseenWater, type WaterStill } from "./unseen-water.ts";

/** Consecutive readings of one activity, type and place, without a long silence between them. */
export interface ActivityStretch {
  readonly activity: StretchActivity;
  readonly start_ms: number;
  /**
   * Start of the stretch; at rest the reading before, if both totalisers stood still across the
   * gap.
   */
  readonly since_ms: number;
  /** Its last reading. */
  last_ms: number;
  readings: number;
  /** Time that its readings cover: each up to the next one, without gaps. */
  told_ms: number;
  /** Type by its readings, or by those before it. */
  operation_type: string | null;
  location: string | null;
  /** True if a long silence comes before it. */
  readonly isAfterSilence: boolean;
  /** True if both totalisers stood still across that silence: the plant was at rest. */
  readonly isAfterStandstill: boolean;
}

export interface Stretches {
  readonly stretches: readonly ActivityStretch[];
  /** Silences longer than five minutes and than 5 times the usual cadence; ascending. */
  readonly silences: readonly UnreadTime[];
  /**
   * Time from which the stretches don't depend on the time before the first reading; Infinity for
   * never.
   */
  readonly sure_ms: number;
  readonly unseen: readonly UnseenWater[];
  readonly still: readonly WaterStill[];
  /** The time that a change may affect. */
  readonly reach: TimeBetween;
}

interface StretchesAsked {
  readonly limits: MovingLimit;
  /** Times that end a stretch; ascending. */
  readonly splits: readonly number[];
  /** Time of a change. */
  readonly change: TimeBetween;
}

/** Maximum silence within an operation without events. */
export const RESUME_MAX_MS = 60 * MINUTE_MS;
/** Maximum time that a reading covers. This limit and the one above are longer for a slow plant. */
const STANDS_MAX_MS = 15 * MINUTE_MS;
/** Silence after which no operation is running any more, whatever the cadence is. */
export const LOST_MS = DAY_MS;
const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const TYPE = indexOfTag("operation_type");
const LOCATION = indexOfTag("location");

/** Stretches, ascending. A reading without state, flow, type or place keeps the one before it. */
export function stretchesOf(
  runs: Iterable<ReadingRun>,
  { limits, splits, change }: StretchesAsked,
): Stretches {
  let recent = recentTimes();
  const plant = openPlant(limits);
  const unread = openUnread(plant, { limits, change });
  const stretches: ActivityStretch[] = [];
  let [first_ms, sure_ms] = [Number.NaN, Number.POSITIVE_INFINITY];
  let stretch: ActivityStretch | null = null;
  let before: ReadingRun | null = null;
  let split = 0;
  for (const run of runs) {
    const { block, from, to } = run;
    const [states, flows] = [block.values(STATE), block.values(FLOW)];
    const [types, places] = [block.values(TYPE), block.values(LOCATION)];
    const believed = block.believed();
    const believedTotals = TOTALISER_FIELDS.map((tag) => believed.values(tag));
    let totalisers: readonly ((index: number) => Value)[] | null = null;
    for (let index = from; index < to; index += 1) {
      const at_ms = block.at_ms(index);
      const passed_ms: number = stretch === null ? 0 : at_ms - stretch.last_ms;
      const isSilent = recent.isLonger(passed_ms, RESUME_MAX_MS) || passed_ms > LOST_MS;
      const isUnread: boolean = stretch === null || recent.isLonger(passed_ms, BLIND_MS);
      unread.leave(plant);
      if (isSilent) plant.forget();
      if (passed_ms > LOST_MS)
        recent = unread.afterLoss({ from_ms: at_ms - passed_ms, to_ms: at_ms });
      plant.take(at_ms, states(index), flows(index));
      const isBlind = unread.take(at_ms, passed_ms, isUnread);
      unread.takeTotals(believedTotals, index);
      if (plant.isAtRest()) {
        totalisers ??= TOTALISER_FIELDS.map((tag) => block.values(tag));
        plant.takeTotals(at_ms, totalisers, index);
      }
      plant.takeWords(types(index), places(index));
      if (stretch !== null && !recent.isLonger(passed_ms, STANDS_MAX_MS))
        stretch.told_ms += passed_ms;
      const isSplit = at_ms >= splits[split];
      while (at_ms >= splits[split]) split += 1;
      if (stretch !== null && !isSilent && !isSplit && goesOn(stretch, plant.now)) {
        stretch.last_ms = at_ms;
        stretch.readings += 1;
        stretch.operation_type ??= plant.now.type;
        stretch.location ??= plant.now.place;
      } else {
        const { activity, type, place } = plant.now;
        const last = index > from ? { block, from, to: index } : before;
        const next = { block, from: index, to };
        const isStill: boolean = isBlind && stoodStill(last, next);
        const since_ms: number = isStill && plant.isAtRest() ? at_ms - passed_ms : at_ms;
        stretch = {
          ...{ activity, start_ms: at_ms, since_ms, last_ms: at_ms, readings: 1, told_ms: 0 },
          ...{ operation_type: type, location: place, isAfterSilence: isSilent },
          isAfterStandstill: isSilent && isStill,
        };
        stretches.push(stretch);
      }
      recent.add(at_ms);
      if (sure_ms < at_ms) continue;
      if (Number.isNaN(first_ms)) first_ms = at_ms;
      const read_ms = at_ms - first_ms;
      const isTold = plant.isTold() && unread.isSure();
      if (recent.isFull() && read_ms > (isTold ? RISING_SURE_MS : KNOWN_MS)) sure_ms = at_ms;
    }
    if (to > from) before = run;
  }
  return { stretches, sure_ms, ...unread.found() };
}

/** Times without readings, and the water that moved in them. */
function openUnread(
  plant: Pick<Plant, "mayMove" | "mayRest">,
  { limits, change }: Pick<StretchesAsked, "limits" | "change">,
) {
  const silences = unreadTimes(() => plant.mayMove());
  const water = unseenWater(limits);
  /** The first distance of all, and the first one after each silence of LOST_MS. */
  const firsts = [firstDistance()];
  const reach = openReach(change, {
    openFrom: (at_ms) => Math.min(water.openFrom(at_ms), firsts[firsts.length - 1].openFrom()),
    isOpen: water.isOpen,
  });
  /** The reading and the plant's state before it: for speed the same objects for all readings. */
  const left = { isAtRest: true, isBlind: false, seen_m3_h: 0 };
  const reading = {
    ...{ at_ms: 0, passed_ms: 0, isBlind: false, isUnread: false, wasAtRest: true },
    ...{ mayRest: true, seen_m3_h: 0 },
  };
  return {
    isSure: water.isSure,
    /** Keeps the plant's state after the reading before. */
    leave: (before: Pick<Plant, "leftIn">) => before.leftIn(left),
    /** Forgets the cadence: a search for operations may begin in such a long silence. */
    afterLoss(silence: TimeBetween) {
      reach.lose(silence);
      firsts.push(firstDistance());
      return recentTimes();
    },
    /** Takes a reading that the plant has taken; true if the time up to it is blind. */
    take(at_ms: number, passed_ms: number, isUnread: boolean): boolean {
      if (at_ms >= reach.next_ms) reach.look(at_ms);
      const mayRest = plant.mayRest();
      // As the plant begins to run, a totaliser's rise is of what runs.
      const first = firsts[firsts.length - 1];
      const isFirst = firsts.length === 1 && first.isNew();
      const isBlind = !isFirst && (isUnread || (left.isBlind && mayRest));
      reading.at_ms = at_ms;
      reading.passed_ms = passed_ms;
      reading.isBlind = isBlind;
      reading.isUnread = isUnread;
      reading.wasAtRest = left.isAtRest;
      reading.mayRest = mayRest;
      reading.seen_m3_h = left.seen_m3_h;
      silences.take(at_ms, isUnread);
      first.add(at_ms);
      return isBlind;
    },
    /** Takes the totalisers of that reading. */
    takeTotals: (...totals: TotalsAt) => water.take(reading, ...totals),
    found(): Pick<Stretches, "silences" | "unseen" | "still" | "reach"> {
      const { unseen, still } = water.found();
      const isOther = (one: TimeBetween) => !firsts.some((first) => first.isUsual(one));
      return {
        silences: silences.found().filter(isOther),
        unseen: unseen.filter(isOther),
        still,
        reach: reach.found(),
      };
    },
  };
}

/** True if the last reading of a run and the first one of the next have the same totalisers. */
function stoodStill(before: ReadingRun | null, after: ReadingRun): boolean {
  if (before === null) return false;
  return TOTALISER_FIELDS.every((tag) => {
    const was = before.block.values(tag)(before.to - 1);
    return typeof was === "number" && was === after.block.values(tag)(after.from);
  });
}

function goesOn(stretch: ActivityStretch, { activity, type, place }: Doing): boolean {
  return (
    stretch.activity === activity &&
    isSameWord(stretch.operation_type, type) &&
    isSameWord(stretch.location, place)
  );
}

/** True unless both are known, and are different words. */
export function isSameWord(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other || wordOf(one) === wordOf(other);
}
