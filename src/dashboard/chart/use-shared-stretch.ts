// The axis, the stretch and the keys that the charts of a page share: the calendar, or operating
// hours where they are given. Trends has its own version, because its stretch is in the address.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shownClock } from "../parts/moments.ts";
import { type ChartAxis, calendarAxis, hoursAxis, type OperatingHours } from "./axis.ts";
import { useChartKeys } from "./chart-keys.ts";
import type { Stretch } from "./level.ts";
import { sharedView } from "./shared-view.ts";

/**
 * Returns also the `stretch` to ask for: the given one, or the one that a gesture came to rest at.
 */
export function useSharedStretch({ from_ms, to_ms }: Stretch, hours: OperatingHours | null = null) {
  const [stretch, setStretch] = useState<Stretch>({ from_ms, to_ms });
  const clock = shownClock();
  const axis = useMemo(() => (hours === null ? calendarAxis() : hoursAxis(hours)), [clock, hours]);
  const latest = useRef(axis);
  latest.current = axis;
  const isFolded = hours !== null;
  const shared = useMemo(
    () =>
      sharedView(viewOf(axis, { from_ms, to_ms }), ({ from, to }) => {
        const { instantAt } = latest.current;
        setStretch({ from_ms: Math.round(instantAt(from)), to_ms: Math.round(instantAt(to)) });
      }),
    // A place has another meaning on the other axis.
    [isFolded],
  );
  useEffect(() => {
    setStretch({ from_ms, to_ms });
    shared.follow(viewOf(latest.current, { from_ms, to_ms }));
  }, [shared, hours, from_ms, to_ms]);
  useEffect(() => shared.end, [shared]);
  useChartKeys(shared, axis);
  return { stretch, shared, axis, hours };
}

function viewOf(axis: ChartAxis, { from_ms, to_ms }: Stretch) {
  const from = axis.placeNear(from_ms);
  return { from, to: Math.max(axis.placeNear(to_ms), from + axis.shortest) };
}
