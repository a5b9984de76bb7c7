// A ship's lamps from the forecasts that it sent, the nearest end first, each with the time of its
// forecast.

import type { LampOutlook } from "../../dashboard/lamps/lamp-answers.ts";
import { LampSign } from "../../dashboard/lamps/lamp-state.tsx";
import { lampName, printHours, printPercent } from "../../dashboard/lamps/lamp-words.ts";
import {
  byEnd,
  intervalOf,
  isRated,
  leftWords,
  whole,
} from "../../dashboard/lamps/outlook-words.ts";
import { lampsWords, fleetWords as t } from "../../dashboard/lang/words.ts";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING } from "../../dashboard/parts/numbers.ts";
import type { ShownDetail } from "./ship-answer.ts";
import { WideTable } from "./wide-table.tsx";

const COLUMNS = ["which", "efficiency", "run", "left", "interval", "days", "end_date"] as const;

interface ShipLampsProps {
  readonly detail: Pick<ShownDetail, "outlooks" | "areSuspended">;
  readonly now_ms: number;
}

export function ShipLamps({ detail, now_ms }: ShipLampsProps) {
  const { outlooks, areSuspended } = detail;
  return (
    <section aria-labelledby="lamps">
      <h2 id="lamps">{t("lamps")}</h2>
      {outlooks.length === 0 ? (
        <p>{t(areSuspended ? "forecasts_suspended" : "no_forecasts")}</p>
      ) : (
        <WideTable
          labelledBy="lamps"
          columns={[...COLUMNS.map((name) => lampsWords(name)), t("forecast_of")]}
        >
          {byEnd(outlooks).map(({ lamp, outlook }) => (
            <tr key={lamp}>
              <th scope="row">
                {lampName(lamp)} <LampSign condition={outlook?.condition ?? "unknown"} />
              </th>
              <td>{printPercent(outlook?.efficiency ?? null)}</td>
              <td>{printHours(outlook?.hours ?? null)}</td>
              <td>
                {leftWords(outlook)}
                {isRated(outlook) && <abbr title={lampsWords("rated")}>*</abbr>}
              </td>
              <td>{intervalOf(outlook)}</td>
              <td>{whole(outlook?.days ?? null)}</td>
              <td>{datesOf(outlook)}</td>
              <td>{outlook === null ? MISSING : printMoment(outlook.at_ms, now_ms)}</td>
            </tr>
          ))}
        </WideTable>
      )}
      {outlooks.some(isRated) && (
        <p class="quiet small" data-test="rated">
          * {lampsWords("rated")}
        </p>
      )}
    </section>
  );
}

function datesOf(outlook: LampOutlook | null): string {
  // The date for a lamp past its life would always be the date of its forecast.
  if (outlook?.condition === "past_life") return MISSING;
  const { end_p05: from = null, end_p95: to = null } = outlook ?? {};
  if (from === null && to === null) return MISSING;
  return lampsWords("dates", { from: from ?? MISSING, to: to ?? MISSING });
}
