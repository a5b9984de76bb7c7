// The page's axis and the places on it: of the calendar, or of operating hours once these are
// known. The range to compare with is moved to the start of the shown one.

import { useMemo } from "preact/hooks";
import { calendarAxis, hourPlace, hoursAxis, hoursBefore } from "../chart/axis.ts";
import type { Stretch } from "../chart/level.ts";
import { useHours } from "../chart/use-hours.ts";
import { shownClock } from "../parts/moments.ts";
import { useSnapshot } from "../store/use-store.ts";

interface PlacesAsked {
  /** True for the axis of operating hours. */
  readonly isFolded: boolean;
  /** Start of the range to compare with; null without one. */
  readonly beside: number | null;
  readonly stretch: Stretch;
}

/** The axis, and functions that give the places of instants of both ranges on it. */
export function usePlaces({ isFolded, beside, stretch }: PlacesAsked) {
  const limits = useSnapshot().readiness.known?.value.limits ?? null;
  const length_ms = stretch.to_ms - stretch.from_ms;
  const other = beside === null ? null : { from_ms: beside, to_ms: beside + length_ms };
  const main = useHours(isFolded ? stretch : null, limits?.flow_max_imo ?? null);
  const besideHours = useHours(isFolded ? other : null, limits?.flow_max_imo ?? null);
  const clock = shownClock();
  const hours = main.known?.value ?? null;
  const axis = useMemo(
    () => (isFolded ? hoursAxis(hours ?? { starts_ms: [] }) : calendarAxis()),
    [isFolded, hours, clock],
  );
  const shift_ms = beside === null ? 0 : stretch.from_ms - beside;
  const from = isFolded ? axis.placeNear(stretch.from_ms) : 0;
  const otherHours = besideHours.known?.value ?? null;
  const places = useMemo(() => {
    if (!isFolded)
      return {
        place: (at_ms: number) => at_ms,
        placeBeside: (at_ms: number) => at_ms + shift_ms,
      };
    const first = otherHours === null || beside === null ? 0 : hoursBefore(otherHours, beside);
    return {
      place: (at_ms: number) => (hours === null ? null : hourPlace(hours, at_ms)),
      placeBeside(at_ms: number) {
        const found = otherHours === null ? null : hourPlace(otherHours, at_ms);
        return found === null ? null : found - first + from;
      },
    };
  }, [isFolded, hours, otherHours, shift_ms, beside, from]);
  const isReady = !isFolded || hours !== null || main.problem !== null;
  const hasHours = (hours?.starts_ms.length ?? 0) > 0;
  return { axis, ...places, problem: main.problem ?? besideHours.problem, isReady, hasHours };
}
