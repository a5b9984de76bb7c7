// A ship's raw readings as a file: a first and a last day, and links whose answers the browser
// saves itself.

import { useState } from "preact/hooks";
import { fleetWords as t } from "../../dashboard/lang/words.ts";
import { printDay, printMoment } from "../../dashboard/parts/moments.ts";
import { DayInput } from "../../dashboard/parts/time-fields.tsx";
import type { ShownShip } from "./fleet-answers.ts";

const DAY_MS = 86_400_000;
const DAYS_MAX = 31;
const FORMATS = ["csv", "parquet"] as const;

interface ShipFilesProps {
  readonly ship: ShownShip;
  readonly now_ms: number;
}

export function ShipFiles({ ship, now_ms }: ShipFilesProps) {
  const { raw_ms, ship: imo } = ship;
  const newest = printDay(raw_ms ?? now_ms, "utc");
  const [chosen, choose] = useState<{ readonly first: string; readonly last: string } | null>(null);
  const { first, last } = chosen ?? { first: newest, last: newest };
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const isPossible = days >= 1 && days <= DAYS_MAX;
  return (
    <section aria-labelledby="files">
      <h2 id="files">{t("files")}</h2>
      <p class="quiet">
        {raw_ms === null
          ? t("files_none")
          : t("files_about", { moment: printMoment(raw_ms, now_ms) })}
      </p>
      <DayInput
        label={t("first_day")}
        at_ms={Date.parse(first)}
        latest_ms={now_ms}
        choose={(day) => choose({ first: day ?? newest, last })}
      />{" "}
      <DayInput
        label={t("last_day")}
        at_ms={Date.parse(last)}
        latest_ms={now_ms}
        choose={(day) => choose({ first, last: day ?? newest })}
      />
      {isPossible ? (
        <p class="downloads">
          {FORMATS.map((format) => (
            <a
              key={format}
              class="button"
              href={`export/ship?ship=${imo}&startDate=${first}&endDate=${last}&format=${format}`}
              download
            >
              {t("download", { format: format.toUpperCase() })}
            </a>
          ))}
        </p>
      ) : (
        <p class="problem" role="status">
          {t("too_long")}
        </p>
      )}
    </section>
  );
}
