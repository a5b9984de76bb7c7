// The page Record book: draft entries for the record book, and a comparison of the officer's own
// entries with the log. Entries are in the book's language, whatever the page's. Its script is
// loaded when it is first opened.

import "./record-book.css";
import { RECORD_LANGUAGES } from "../../bwts/record-book/form.ts";
import { recordBookWords as t } from "../lang/words.ts";
import { AnswerLink } from "../parts/answer-link.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { clockName, dayEnd, dayStart, printDay } from "../parts/moments.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { DayInput } from "../parts/time-fields.tsx";
import { instantParameter } from "../parts/view.ts";
import { wordParameter } from "../parts/view-parameters.ts";
import { useNow, useSnapshot } from "../store/use-store.ts";
import { ComparePanel } from "./compare-panel.tsx";
import { DraftPanel } from "./draft-panel.tsx";

const LANGUAGES = ["", ...RECORD_LANGUAGES] as const;
const VIEW = {
  from: instantParameter(),
  to: instantParameter({ day: "end" }),
  language: wordParameter(LANGUAGES, ""),
};

export const recordBookPage = page(VIEW, RecordBook);

const DAY_MS = 86_400_000;
/** Number of days shown by default: those that an inspector asks for first. */
const DAYS = 60;

function RecordBook({ view, change }: PageProps<typeof VIEW>) {
  const now_ms = useNow();
  const { readiness } = useSnapshot();
  const today = printDay(now_ms);
  const from_ms = view.from ?? dayStart(printDay(now_ms - DAYS * DAY_MS)) ?? 0;
  const to_ms = view.to ?? dayEnd(today) ?? now_ms;
  const dates = `startDate=${isoTime(from_ms)}&endDate=${isoTime(to_ms)}`;
  const language = view.language === "" ? "" : `&language=${view.language}`;
  const path = `/api/record-book?${dates}${language}`;
  const { vessel = null, imo = null, system_id = null } = readiness.known?.value ?? {};
  const ship = [vessel, imo === null ? null : `IMO ${imo}`, system_id];
  return (
    <div class="record-book">
      <section aria-labelledby="record-book">
        <h2 id="record-book">{t("title")}</h2>
        <p>{ship.filter((name) => name !== null).join(", ")}</p>
        <p>
          <strong>{t("no_record_book")}</strong>
        </p>
        <div class="book-choices">
          <DayInput
            label={t("first_day", { clock: clockName() })}
            at_ms={from_ms}
            latest_ms={now_ms}
            choose={(day) => day !== null && change({ from: dayStart(day) }, "none")}
          />
          <DayInput
            label={t("last_day", { clock: clockName() })}
            at_ms={to_ms}
            latest_ms={now_ms}
            choose={(day) => day !== null && change({ to: dayEnd(day) }, "none")}
          />
          <ChoiceInput
            label={t("entries_in")}
            chosen={view.language}
            choices={LANGUAGES.map((word) => [word, t(word === "" ? "configured" : word)] as const)}
            choose={(chosen) => change({ language: chosen }, "none")}
          />
          <button type="button" onClick={() => window.print()}>
            {t("print")}
          </button>
        </div>
        <ul class="book-files">
          <li>
            <AnswerLink path={`${path}&format=text`} text={t("as_text")} />
          </li>
          <li>
            <AnswerLink path={`${path}&format=csv`} text={t("as_csv")} />
          </li>
        </ul>
      </section>
      <Guarded>
        <ComparePanel dates={view.from === null && view.to === null ? "" : dates} />
      </Guarded>
      <DraftPanel key={path} path={path} />
    </div>
  );
}

const isoTime = (at_ms: number) => new Date(at_ms).toISOString();
