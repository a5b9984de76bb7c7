// Two hours of the alert's field, with the limit that it broke: until now while the alert is recent
// or lasts, otherwise around the time at which it was raised.

import { useMemo } from "preact/hooks";
import { TAGS, type Tag, tagIndex } from "../../bwts/tags.ts";
import type { Stretch } from "../chart/level.ts";
import { LimitChart } from "../chart/limit-chart.tsx";
import { joinedLines } from "../chart/points.ts";
import { usePoints } from "../chart/use-points.ts";
import { printLabel } from "../lang/fields.ts";
import { alertsWords as t } from "../lang/words.ts";
import { printNumber } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ShownAlert } from "../store/alerts.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LENGTH_MS = 2 * HOUR_MS;

/** The field whose curve shows the alert; null for a field of words, and for an unknown one. */
export function curveField({ parameter }: Pick<ShownAlert, "parameter">): Tag | null {
  const index = parameter === null ? null : tagIndex(parameter);
  return index === null || TAGS[index].span === null ? null : TAGS[index];
}

/**
 * The time shown. It is rounded to whole minutes, because a new range would be requested each
 * second.
 */
export function curveStretch({ since_ms, last_ms }: ShownAlert, now_ms: number): Stretch {
  const rise_ms = last_ms ?? since_ms ?? now_ms;
  const end_ms = Math.min(now_ms, Math.max(rise_ms + HOUR_MS / 2, now_ms - HOUR_MS));
  const isRecent = now_ms - rise_ms < LENGTH_MS;
  const to_ms = Math.ceil((isRecent ? now_ms : end_ms) / MINUTE_MS) * MINUTE_MS;
  return { from_ms: to_ms - LENGTH_MS, to_ms };
}

interface AlertCurveProps {
  readonly alert: ShownAlert;
  readonly tag: Tag;
  readonly stretch: Stretch;
}

export function AlertCurve({ alert, tag, stretch }: AlertCurveProps) {
  const { from_ms, to_ms } = stretch;
  const fixed = useMemo(() => ({ from_ms, to_ms }), [from_ms, to_ms]);
  const { known, problem } = usePoints({ field: tag.name, stretch: fixed, isFolded: false });
  const { limit, value, unit } = alert;
  // Memoised, because the page is drawn each second, and two hours may have thousands of readings.
  const lines = useMemo(
    () => (known === null ? [] : joinedLines(known.value, fixed)),
    [known, fixed],
  );
  const limits =
    limit === null || unit !== tag.unit
      ? []
      : [
          {
            value: limit,
            text: t("limit_line", { limit: printNumber(limit) }),
            beyond: value !== null && value < limit ? ("below" as const) : ("above" as const),
          },
        ];
  return (
    <>
      <ProblemBanner problem={problem} />
      <LimitChart
        lines={lines}
        {...fixed}
        limits={limits}
        label={t("curve_of", { field: printLabel(tag) })}
      />
    </>
  );
}
