// The points of one field over a stretch, as finely as its length allows. If there are too many
// readings to show each, hours are shown.

import { useMemo, useRef } from "preact/hooks";
import type { PagePart } from "../store/ask.ts";
import { useAnswer, useNewestTime } from "../store/use-store.ts";
import { type Fineness, levelOf, pointsPath, type Stretch } from "./level.ts";
import { type Points, pointsReader } from "./points.ts";

export interface PointsQuery {
  readonly field: string;
  readonly stretch: Stretch;
  /** True to ask for hours rather than days, as for an axis of operating hours. */
  readonly isFolded: boolean;
}

/** The points asked for; null asks for nothing. */
export function usePoints(asked: PointsQuery | null): PagePart<Points> {
  const level = asked === null ? "day" : levelOf(asked.stretch, asked.isFolded);
  const fine = usePart(asked, level);
  const isTooMany = fine.known?.value.isWhole === false;
  const hours = usePart(isTooMany ? asked : null, "hour");
  const problem = fine.problem ?? hours.problem;
  const known = isTooMany ? hours.known : fine.known;
  const part = useMemo<PagePart<Points>>(() => {
    if (known === null || !isTooMany) return { known, problem };
    return { known: { value: { ...known.value, isWhole: false } }, problem };
  }, [known, problem, isTooMany]);
  // The earlier curve stays until the hours have come.
  const before = useRef(part);
  if (part.known !== null || before.current.known?.value.field !== asked?.field)
    before.current = part;
  return part.problem === null ? before.current : part;
}

/**
 * The answer's part for this field. One about another field isn't used; one of another level stays
 * until the next has come.
 */
function usePart(asked: PointsQuery | null, level: Fineness): PagePart<Points> {
  const field = asked?.field ?? "";
  const newest_ms = useNewestTime();
  const path =
    asked === null ? null : pointsPath(field, level, { stretch: asked.stretch, newest_ms });
  const part = useAnswer(path, pointsReader(field, level));
  return asked === null || part.known?.value.field !== field
    ? { known: null, problem: asked === null ? null : part.problem }
    : part;
}
