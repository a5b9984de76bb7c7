// The calendar, the stretch and the keys that the charts of a page share. Trends has its own: its
// stretch is in the address, and may be one of operating hours.

import { useEffect, useMemo, useState } from "preact/hooks";
import { shownClock } from "../parts/moments.ts";
import { calendarAxis } from "./axis.ts";
import { useChartKeys } from "./chart-keys.ts";
import type { Stretch } from "./level.ts";
import { sharedView } from "./shared-view.ts";

/** `stretch` is what to ask for: the page's, and after a gesture what that has come to rest at. */
export function useSharedStretch({ from_ms, to_ms }: Stretch) {
  const [stretch, setStretch] = useState<Stretch>({ from_ms, to_ms });
  const clock = shownClock();
  const axis = useMemo(calendarAxis, [clock]);
  const shared = useMemo(
    () =>
      sharedView({ from: from_ms, to: to_ms }, ({ from, to }) =>
        setStretch({ from_ms: Math.round(from), to_ms: Math.round(to) }),
      ),
    [],
  );
  useEffect(() => {
    setStretch({ from_ms, to_ms });
    shared.follow({ from: from_ms, to: to_ms });
  }, [shared, from_ms, to_ms]);
  useEffect(() => shared.end, [shared]);
  useChartKeys(shared, axis);
  return { stretch, shared, axis };
}
