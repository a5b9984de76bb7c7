// The operating hours of a life against the calendar: a lamp's hours at an instant, the month in
// which it had so many, and the labels of the axis.

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

/** `2026-05`, in which the lamp had the hours; empty where that isn't known. */
export function monthAt({ points, began_ms }: ShownLife, hours: number): string {
  const [first] = points;
  if (first === undefined) return "";
  // The first stretch of a lamp that was fitted new begins at 0 h.
  if (hours === 0 && first.hours < NEW_H) return printDay(began_ms).slice(0, 7);
  const point = points.find((one) => one.hours >= hours);
  return point === undefined || hours < first.hours ? "" : printDay(point.to_ms).slice(0, 7);
}

/** Middle of the first stretch of a new lamp, at most. */
const NEW_H = 30;

const STEPS_H = [100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000];

/** Labels from 0 to `most` or beyond, at most `count` and two. */
export function hourSteps(most: number, count: number): readonly number[] {
  const step = STEPS_H.find((one) => most / one <= count) ?? most;
  const labels = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: labels + 1 }, (_, index) => index * step);
}
