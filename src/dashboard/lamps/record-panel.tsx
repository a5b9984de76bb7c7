// The track record of the forecasts on this ship: lamps that ended, share of ends inside the
// interval, and the error against rated hours minus run-hours.

import { lampsWords as t } from "../language/en/lamps.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { readTrackRecord } from "./lamp-answers.ts";
import { printPercent } from "./lamp-list.tsx";
import { printHours } from "./lamp-words.ts";
import { RecordNumber } from "./life-evidence.tsx";

export function RecordPanel() {
  const part = useAnswer("/api/predictions/track-record", readTrackRecord, ["forecast"]);
  return (
    <Panel name="record" title={t("record")} part={part}>
      {({ ended, forecasts_scored, coverage, message, ...errors }) => (
        <>
          <FactList
            class="left"
            facts={[
              [t("ended_failed"), printNumber(ended.failed), "failed"],
              [t("ended_worn"), printNumber(ended.worn), "worn"],
              [t("ended_replaced"), printNumber(ended.replaced), "replaced"],
              [t("scored"), printNumber(forecasts_scored)],
              [t("coverage"), printPercent(coverage === null ? null : 100 * coverage)],
              [t("error"), printHours(errors.median_error_hours)],
              [t("error_rated"), printHours(errors.median_error_hours_rated)],
            ].map(([name, text, outcome]) => [
              name,
              <RecordNumber key={name} {...{ name, outcome }}>
                {text}
              </RecordNumber>,
            ])}
          />
          <p class="quiet small" lang="en">
            {message}
          </p>
        </>
      )}
    </Panel>
  );
}
