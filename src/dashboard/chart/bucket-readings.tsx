// The readings behind a score or a mean: the first of them with their evidence, and a link to all
// of them as curves.

import { partsWords, chartWords as t } from "../lang/words.ts";
import { Evident } from "../parts/evidence.tsx";
import { printSecond } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { addressOf, instantParameter } from "../parts/view.ts";
import { wordsParameter } from "../parts/view-parameters.ts";
import { instant, isLike, listOf, numberOrNull, type Read } from "../store/checks.ts";
import { useAnswer, useNow } from "../store/use-store.ts";

const SHOWN_MAX = 20;
/** Parameters of Trends that a link sets. */
const TRENDS_VIEW = {
  fields: wordsParameter(() => true),
  from: instantParameter(),
  to: instantParameter({ day: "end" }),
};

interface BucketReadingsProps {
  /** Name of the score or mean. */
  readonly name: string;
  readonly from_ms: number;
  readonly length_ms: number;
  /** The field that Trends then shows; UV intensity by default. */
  readonly field?: string;
}

export function BucketReadings(props: BucketReadingsProps) {
  const { name, from_ms, length_ms, field = "UVR_INTENSITY" } = props;
  const now_ms = useNow();
  const to_ms = from_ms + length_ms - 1;
  const [start, end] = [from_ms, to_ms].map((at_ms) => new Date(at_ms).toISOString());
  const range = `startDate=${start}&endDate=${end}`;
  const path = `/api/telemetry/chunked?${range}&limit=${SHOWN_MAX}&fields=${field}`;
  const { known, problem } = useAnswer(path, readTimes);
  const view = { fields: [field], from: from_ms, to: to_ms };
  return (
    <div class="bucket-readings" data-test="bucket-readings">
      <ProblemBanner problem={problem} />
      {known === null && problem === null && <p class="quiet">{partsWords("loading")}</p>}
      {known !== null && (
        <>
          <p>
            {t("readings", { n: known.value.total })}{" "}
            <a class="alone" href={addressOf("trends", TRENDS_VIEW, view)}>
              {t("in_trends")}
            </a>
          </p>
          {known.value.times.map((at_ms) => (
            <Evident key={at_ms} name={name} at_ms={at_ms}>
              {printSecond(at_ms, now_ms)}
            </Evident>
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
