// The track record of the forecasts on this ship: lamps that ended, share of ends inside the
// interval, and the error against rated hours minus run-hours.

import { lampsWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer } from "../store/use-store.ts";
import { type ModelFigures, readTrackRecord } from "./lamp-answers.ts";
import { printHours, printPercent } from "./lamp-words.ts";
import { RecordNumber } from "./life-evidence.tsx";

/**
 * Interval of reading the record again: many forecasts are scored in parts, after the event of the
 * last one.
 */
const EVERY_MS = 60_000;

export function RecordPanel() {
  const part = useAnswer("/api/predictions/track-record", readTrackRecord, ["forecast"], EVERY_MS);
  return (
    <Panel name="record" title={t("record")} part={part}>
      {({ ended, forecasts_scored, coverage, message, models, ...errors }) => (
        <>
          <FactList
            class="lamp-facts record"
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
          {models.length > 1 && <ModelTable models={models} />}
          <p class="quiet small" lang="en">
            {message}
          </p>
        </>
      )}
    </Panel>
  );
}

/** The figures of each version of the model, the present one first. */
function ModelTable({ models }: { readonly models: readonly ModelFigures[] }) {
  return (
    <div class="wide">
      <table data-test="models">
        <thead>
          <tr>
            {[t("model"), t("scored"), t("coverage"), t("error"), t("error_rated")].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map(({ model_version, forecasts_scored, coverage, ...errors }) => (
            <tr key={model_version}>
              <th scope="row">{model_version}</th>
              <td>{printNumber(forecasts_scored)}</td>
              <td>{printPercent(coverage === null ? null : 100 * coverage)}</td>
              <td>{printHours(errors.median_error_hours)}</td>
              <td>{printHours(errors.median_error_hours_rated)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
