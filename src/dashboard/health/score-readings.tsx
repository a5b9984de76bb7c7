// The readings of the time that a score stands for: the first of them with their evidence, and all
// of them as curves.

import { healthWords as t } from "../language/en/health.ts";
import { printSecond } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { addressOf, instantParameter } from "../parts/view.ts";
import { instant, isLike, listOf, numberOrNull, type Read } from "../store/checks.ts";
import { useAnswer, useNow } from "../store/use-store.ts";

const SHOWN_MAX = 20;

interface ScoreReadingsProps {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly open: (at_ms: number) => void;
}

export function ScoreReadings({ from_ms, to_ms, open }: ScoreReadingsProps) {
  const now_ms = useNow();
  const [start, end] = [from_ms, to_ms].map((at_ms) => new Date(at_ms).toISOString());
  const range = `startDate=${start}&endDate=${end}`;
  const path = `/api/telemetry/chunked?${range}&limit=${SHOWN_MAX}&fields=UVR_INTENSITY`;
  const { known, problem } = useAnswer(path, readTimes);
  const at = { from: instantParameter(), to: instantParameter() };
  return (
    <div class="score-readings" data-test="score-readings">
      <ProblemBanner problem={problem} />
      {known !== null && (
        <>
          <p>
            {t("readings", { n: known.value.total })}{" "}
            <a class="alone" href={addressOf("trends", at, { from: from_ms, to: to_ms })}>
              {t("in_trends")}
            </a>
          </p>
          {known.value.times.map((at_ms) => (
            <button key={at_ms} type="button" onClick={() => open(at_ms)}>
              {printSecond(at_ms, now_ms)}
            </button>
          ))}
        </>
      )}
    </div>
  );
}

interface KnownTimes {
  readonly times: readonly number[];
  readonly total: number;
}

const readTimes: Read<KnownTimes> = (body) => {
  if (!isLike<Record<"data" | "pagination", unknown>>(body)) return null;
  if (!isLike<{ total: number }>(body.pagination)) return null;
  const total = numberOrNull(body.pagination.total);
  const times = listOf(body.data, (row) =>
    isLike<{ timestamp: string }>(row) ? instant(row.timestamp) : null,
  );
  return times === null || total === null ? null : { value: { times: times.value, total } };
};
