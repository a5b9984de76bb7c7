// The note beside hours of lamps while the PLC's counters run too fast: curves and exports have
// them as sent, but hours of lamps are divided.

import type { LampsAnswer } from "../../bwts/lamps/answer.ts";
import { laterWords as t } from "../lang/words.ts";
import { isLike, numberOrNull, type Read } from "../store/checks.ts";
import { useAnswer } from "../store/use-store.ts";

export function CountersNote() {
  const divisor = useCountersDivisor();
  if (divisor === null) return null;
  return (
    <p role="status" data-test="counters">
      {divisor === 1 ? t("counters_unknown") : t("counters_fast", { n: divisor })}
    </p>
  );
}

/**
 * The divisor of the counters; null while they show hours, 1 if their unit isn't known. The alert
 * also causes a new request, because there are no new forecasts while these are suspended.
 */
export function useCountersDivisor(): number | null {
  return useAnswer("/api/lamps", readDivisor, ["forecast", "alert"]).known?.value ?? null;
}

/** Reads the divisor; null while the counters show hours, 1 if their unit isn't known. */
const readDivisor: Read<number | null> = (body) => {
  if (!isLike<LampsBody>(body)) return null;
  const { counters } = body;
  if (counters === null) return { value: null };
  const divisor = isLike<CountersMember>(counters) ? numberOrNull(counters.divided_by) : null;
  return divisor === null ? null : { value: divisor };
};

type LampsBody = ReturnType<typeof LampsAnswer.parse>;
type CountersMember = NonNullable<LampsBody["counters"]>;
