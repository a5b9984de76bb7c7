// The verdict on an operation as a shape and a word, so that colour isn't needed: a disc within
// limits, a triangle outside, a ring if it can't be judged.

import type { OperationVerdict } from "../../bwts/operations/operation.ts";
import { fleetWords as t } from "../../dashboard/lang/words.ts";
import { LongText } from "../../dashboard/parts/long-text.tsx";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING } from "../../dashboard/parts/numbers.ts";
import type { ShownLastVerdict } from "./fleet-answers.ts";

const SIGNS = {
  ...{ within_limits: "good", outside_limits: "bad", cannot_tell: "without" },
} as const;
const PLACE_MAX = 40;

interface ShapeProps {
  readonly verdict: OperationVerdict;
  /** False if no signed head of the ship has it, as far as the office has verified. */
  readonly isProven: boolean;
}

export function VerdictShape({ verdict, isProven }: ShapeProps) {
  // An unproven verdict never gets the good sign.
  const sign = isProven || verdict !== "within_limits" ? SIGNS[verdict] : "without";
  return (
    <span class={`sign ${sign}`} data-verdict={verdict} data-proven={isProven}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {verdict === "within_limits" && <circle class="solid" cx="12" cy="12" r="8" />}
        {verdict === "cannot_tell" && <circle cx="12" cy="12" r="8" />}
        {verdict === "outside_limits" && <path d="M12 4l9 16H3z" />}
      </svg>
      <b>{t(`verdict_${verdict}`)}</b>
      {!isProven && <small>{t("not_proven")}</small>}
    </span>
  );
}

interface LastVerdictProps {
  readonly last: ShownLastVerdict | null;
  readonly now_ms: number;
}

/** The newest verdict of a ship, with its time and place. */
export function LastVerdictSign({ last, now_ms }: LastVerdictProps) {
  if (last === null) return <>{MISSING}</>;
  const { verdict, operation, port, end_ms, isProven } = last;
  const place = [operation, port].filter((word) => word !== null).join(" · ");
  return (
    <>
      <VerdictShape verdict={verdict} isProven={isProven} />
      {end_ms !== null && <small>{printMoment(end_ms, now_ms)}</small>}
      {place !== "" && (
        <small lang="en">
          <LongText text={place} max={PLACE_MAX} />
        </small>
      )}
    </>
  );
}
