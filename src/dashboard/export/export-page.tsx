// The page Export: what goes into a file, its size, and its download. Its script is loaded when it
// is opened first.

import "./export.css";
import { EXPORT_KINDS, TEXT_FORMATS } from "../../bwts/export/export-kind.ts";
import { exportWords as t } from "../language/en/export.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { useNow } from "../store/use-store.ts";
import { CHOICE, chosenRange, isBackwards } from "./choice.ts";
import { ColumnChoice } from "./column-choice.tsx";
import { DownloadPanel, DownloadProgress } from "./download-panel.tsx";
import { RangeChoice } from "./range-choice.tsx";

export const exportPage = page(CHOICE, Export);

function Export({ view, change }: PageProps<typeof CHOICE>) {
  const range = chosenRange(view, useNow());
  return (
    <>
      <section aria-labelledby="export">
        <h2 id="export">{t("title")}</h2>
        <p class="quiet">{t("about")}</p>
        <div class="choices">
          <label>
            <span>{t("kind")}</span>
            <select
              value={view.kind}
              onChange={({ currentTarget: { value } }) =>
                change({ kind: CHOICE.kind.read(value) ?? view.kind }, "none")
              }
            >
              {EXPORT_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(kind)}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>{t("format")}</span>
            <select
              value={view.format}
              onChange={({ currentTarget: { value } }) =>
                change({ format: CHOICE.format.read(value) ?? view.format }, "none")
              }
            >
              {TEXT_FORMATS.map((format) => (
                <option key={format} value={format}>
                  {t(format)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <RangeChoice choice={view} range={range} change={change} />
        {view.kind === "telemetry" && (
          <ColumnChoice columns={view.columns} choose={(columns) => change({ columns }, "none")} />
        )}
      </section>
      <Guarded>{!isBackwards(range) && <DownloadPanel choice={view} range={range} />}</Guarded>
      <Guarded>
        <DownloadProgress />
      </Guarded>
    </>
  );
}
