// Relates the operating hours of a life to the calendar: the lamp's hours at an instant, the month
// in which it reached some hours, and the labels of the axis.

import { printDay } from "../parts/moments.ts";
import type { ShownLife } from "./lamp-answers.ts";

/** Hours of the lamp at an instant, between its points; null outside them. */
export function hoursAt({ points, began_ms }: ShownLife, at_ms: number): number | null {
  const index = points.findIndex(({ to_ms }) => to_ms >= at_ms);
  if (index < 0 || at_ms < began_ms) return null;
  const [before, after] = [points[index - 1], points[index]];
  if (before === undefined) return after.hours;
  const share = (at_ms - before.to_ms) / Math.max(1, after.to_ms - before.to_ms);
  return before.hours + share * (after.hours - before.hours);
}

/** The month, such as `2026-05`, in which the lamp reached these hours; empty if it isn't known. */
export function monthAt({ points, began_ms }: ShownLife, hours: number): string {
  const [first] = points;
  if (first === undefined) return "";
  // A lamp fitted as new begins at 0 h, before its first point.
  if (hours === 0 && first.hours < NEW_H) return printDay(began_ms).slice(0, 7);
  const point = points.find((one) => one.hours >= hours);
  return point === undefined || hours < first.hours ? "" : printDay(point.to_ms).slice(0, 7);
}

/** Maximum hours of the first point of a lamp that was new: the middle of its first stretch. */
const NEW_H = 30;

const STEPS_H = [100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000];

/** Labels from 0 to `most` or beyond; at most `count` and two more. */
export function hourSteps(most: number, count: number): readonly number[] {
  const step = STEPS_H.find((one) => most / one <= count) ?? most;
  const labels = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: labels + 1 }, (_, index) => index * step);
}
