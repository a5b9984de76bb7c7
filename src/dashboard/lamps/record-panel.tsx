// The track record of the forecasts on this ship: lamps that ended, share of ends inside the
// interval, and the error against rated hours minus run-hours.

import { lampsWords as t } from "../language/en/lamps.ts";
import { printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { readTrackRecord } from "./lamp-answers.ts";
import { printPercent } from "./lamp-list.tsx";
import { printHours } from "./lamp-words.ts";

export function RecordPanel() {
  const part = useAnswer("/api/predictions/track-record", readTrackRecord, ["forecast"]);
  return (
    <Panel name="record" title={t("record")} part={part}>
      {({ ended, forecasts_scored, coverage, message, ...errors }) => (
        <>
          <dl class="left">
            <Row name={t("ended_failed")} value={printNumber(ended.failed)} />
            <Row name={t("ended_worn")} value={printNumber(ended.worn)} />
            <Row name={t("ended_replaced")} value={printNumber(ended.replaced)} />
            <Row name={t("scored")} value={printNumber(forecasts_scored)} />
            <Row
              name={t("coverage")}
              value={printPercent(coverage === null ? null : 100 * coverage)}
            />
            <Row name={t("error")} value={printHours(errors.median_error_hours)} />
            <Row name={t("error_rated")} value={printHours(errors.median_error_hours_rated)} />
          </dl>
          <p class="quiet small" lang="en">
            {message}
          </p>
        </>
      )}
    </Panel>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
