// The page Export: the content of a file, its size, and its download. Its script is loaded when it
// is first opened.

import "./export.css";
import { EXPORT_KINDS, formatsOf } from "../../bwts/export-kind.ts";
import { exportWords as t } from "../lang/words.ts";
import { AnswerLink } from "../parts/answer-link.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { useNow } from "../store/use-store.ts";
import { CHOICE, chosenFormat, chosenRange, isBackwards } from "./choice.ts";
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
        <RangeChoice choice={view} range={range} change={change}>
          <ChoiceInput
            label={t("kind")}
            chosen={view.kind}
            choices={EXPORT_KINDS.map((kind) => [kind, t(kind)] as const)}
            choose={(kind) => change({ kind }, "none")}
          />
          <ChoiceInput
            label={t("format")}
            chosen={chosenFormat(view)}
            choices={formatsOf(view.kind).map((format) => [format, t(format)] as const)}
            choose={(format) => change({ format }, "none")}
          />
        </RangeChoice>
        {view.kind === "telemetry" && chosenFormat(view) === "iso19848" && (
          <p>
            {t("channels")} <AnswerLink path="/export/channels" />
          </p>
        )}
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
