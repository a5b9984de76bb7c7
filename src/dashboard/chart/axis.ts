// The two axes of a chart: the calendar in UTC or ship's time, and operating hours, which leaves
// out the breaks between operations. A ship treats water for some hours a week: on the calendar
// nine tenths of its curves would be empty.

import { firstIndex } from "../../bwts/ranks.ts";
import { printDay, printMinute } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import type { AxisPlace } from "./curve.ts";

export interface ChartAxis {
  /** Places of about `count` labels in a stretch. */
  readonly splits: (from: AxisPlace, to: AxisPlace, count: number) => number[];
  /** Text of the label at a place; `step` is the distance of the labels. */
  readonly label: (place: AxisPlace, step: number) => string;
  readonly instantAt: (place: AxisPlace) => number;
  /** The place of an instant, or of the end of the break that it is in. */
  readonly placeNear: (at_ms: number) => AxisPlace;
  /** Length of the shortest stretch that can be zoomed to. */
  readonly shortest: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30.4 * DAY_MS;
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10].map((days) => days * DAY_MS),
];
/** Maximum number of labels: more than fit on any screen. */
const LABELS_MAX = 200;
const STEPS_MONTHS = [1, 2, 3, 6, 12, 24];

/** The calendar axis, by the clock in which times are shown. */
export function calendarAxis(): ChartAxis {
  const offset_ms = Date.parse(`${printDay(0)}T${printMinute(0)}Z`);
  return {
    splits(from, to, count) {
      const wanted_ms = (to - from) / Math.max(1, count);
      const step_ms = STEPS_MS.find((step) => step >= wanted_ms);
      if (step_ms !== undefined) return multiples(from, to, { step: step_ms, offset: offset_ms });
      const months = STEPS_MONTHS.find((step) => step * MONTH_MS >= wanted_ms) ?? 24;
      return monthStarts(from, to, { months, offset_ms });
    },
    label: (place, step) => {
      if (step >= DAY_MS - HOUR_MS) return printDay(place);
      const minute = printMinute(place);
      return minute === "00:00" ? printDay(place).slice(5) : minute;
    },
    instantAt: (place) => place,
    placeNear: (at_ms) => at_ms,
    shortest: 2 * MINUTE_MS,
  };
}

interface Multiples {
  readonly step: number;
  readonly offset: number;
}

function multiples(from: AxisPlace, to: AxisPlace, { step, offset }: Multiples): number[] {
  const places: number[] = [];
  for (let place = Math.ceil((from + offset) / step) * step - offset; place <= to; place += step) {
    if (places.length === LABELS_MAX) break;
    places.push(place);
  }
  return places;
}

function monthStarts(
  from: AxisPlace,
  to: AxisPlace,
  { months, offset_ms }: { readonly months: number; readonly offset_ms: number },
): number[] {
  const first = new Date(from + offset_ms);
  const places: number[] = [];
  const start = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months;
  for (let month = start; places.length < 100; month += months) {
    const place = Date.UTC(Math.floor(month / 12), month % 12) - offset_ms;
    if (place > to) break;
    if (place >= from) places.push(place);
  }
  return places;
}

/** The hours in which water was treated, in order; each by its start. */
export interface OperatingHours {
  readonly starts_ms: readonly number[];
}

/** The place of an instant on the axis; null in a break. */
export function hourPlace({ starts_ms }: OperatingHours, at_ms: number): AxisPlace | null {
  const index = hoursBefore({ starts_ms }, at_ms + 1) - 1;
  const into = index < 0 ? Number.POSITIVE_INFINITY : (at_ms - starts_ms[index]) / HOUR_MS;
  return into < 1 ? index + into : null;
}

/** The number of operating hours that began before an instant. */
export function hoursBefore({ starts_ms }: OperatingHours, at_ms: number): number {
  return firstIndex(starts_ms.length, (index) => starts_ms[index] >= at_ms);
}

const HOUR_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

/** The axis of operating hours; labels count from the first known hour. */
export function hoursAxis(hours: OperatingHours): ChartAxis {
  const { starts_ms } = hours;
  return {
    splits(from, to, count) {
      const wanted = (to - from) / Math.max(1, count);
      const step = HOUR_STEPS.find((one) => one >= wanted) ?? 10_000;
      return multiples(from, to, { step, offset: 0 });
    },
    label: (place) => printNumber(place),
    instantAt(place) {
      if (starts_ms.length === 0) return 0;
      const index = Math.min(starts_ms.length - 1, Math.max(0, Math.floor(place)));
      return starts_ms[index] + (place - index) * HOUR_MS;
    },
    placeNear: (at_ms) => hourPlace(hours, at_ms) ?? hoursBefore(hours, at_ms),
    shortest: 0.1,
  };
}
