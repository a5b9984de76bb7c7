// The operating hours of a stretch, for the axis that leaves out breaks: hours whose maximum flow
// counts as treating by the rule of bwts/treating.ts. They come from buckets, which have no state
// of the controller.

import { useMemo } from "preact/hooks";
import { isTreatingState } from "../../bwts/treating.ts";
import type { PagePart } from "../store/ask.ts";
import { useAnswer, useNewestTime } from "../store/use-store.ts";
import type { OperatingHours } from "./axis.ts";
import { pointsPath, type Stretch } from "./level.ts";
import { pointsReader } from "./points.ts";

const FLOW = "SYS_FLOW_RATE";

/**
 * The hours of the stretch; null asks for nothing. `flow_max_imo` is the ship's limit, null for
 * none.
 */
export function useHours(
  stretch: Stretch | null,
  flow_max_imo: number | null,
): PagePart<OperatingHours> {
  const newest_ms = useNewestTime();
  const path = stretch === null ? null : pointsPath(FLOW, "hour", { stretch, newest_ms });
  const { known, problem } = useAnswer(path, pointsReader(FLOW, "hour"));
  return useMemo(() => {
    if (known === null) return { known, problem };
    const limits = { flow_max_imo: flow_max_imo ?? 0 };
    const treated = known.value.points.filter(({ max }) => isTreatingState(null, max, limits));
    return { known: { value: { starts_ms: treated.map(({ at_ms }) => at_ms) } }, problem };
  }, [known, problem, flow_max_imo]);
}
