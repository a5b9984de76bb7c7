// The page #/why, which explains why the UV intensity is low. It compares the present, or a moment,
// with the last good operation or a chosen one. It isn't in the rail: numbers, sentences and alerts
// link to it.

import "./why.css";
import { isCleaning } from "../../bwts/operations/operation-words.ts";
import { operationsWords, whyWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { printDay, printMoment } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { operationName, verdictWord } from "../parts/operation-words.tsx";
import { type PageProps, page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { instantParameter } from "../parts/view.ts";
import { wholeParameter } from "../parts/view-parameters.ts";
import { WholeDates } from "../parts/whole-dates.tsx";
import type { PagePart } from "../store/ask.ts";
import { readOperations } from "../store/operations.ts";
import { OPERATIONS_POLL_MS, useAnswer, useNow } from "../store/use-store.ts";
import { CauseTable } from "./cause-table.tsx";
import { Waterfall } from "./waterfall.tsx";
import { readComparison, type ShownComparison } from "./why-answer.ts";
import { isHighEnough, printLight, remedyInWords } from "./why-words.ts";

const WHY_VIEW = { at: instantParameter(), compare: wholeParameter(1, 999_999_999_999) };

export const whyPage = page(WHY_VIEW, Why);

/**
 * Interval of requests: the comparison is of the newest readings, many of which arrive between two
 * operations.
 */
const EVERY_MS = 15_000;
/** Number of operations to choose from. */
const LISTED = 50;

function Why({ view, change }: PageProps<typeof WHY_VIEW>) {
  const query = new URLSearchParams();
  if (view.at !== null) query.set("at", new Date(view.at).toISOString());
  if (view.compare !== null) query.set("compare", String(view.compare));
  const asked = query.toString();
  const path = asked === "" ? "/api/diagnosis" : `/api/diagnosis?${asked}`;
  const part = useAnswer(path, readComparison, ["operation"], EVERY_MS);
  const known = part.known?.value ?? null;
  const now_ms = useNow();
  const isHigh = known !== null && isHighEnough(known) && isOf(view.at, known, now_ms);
  return (
    <div class="why">
      <div class="why-head">
        <h1>{t(isHigh ? "title_not_low" : "title")}</h1>
        {known !== null && <Compared comparison={known} />}
        <CompareWith
          {...{ chosen: view.compare, now: known?.now?.operation ?? null }}
          choose={(compare) => change({ compare })}
        />
      </div>
      <Panel
        name="causes"
        title={t("chart")}
        part={part}
        aside={
          known?.now === null || known === null
            ? ""
            : t("as_of", { moment: printMoment(known.now.to_ms, now_ms) })
        }
      >
        {(comparison) => <Causes comparison={comparison} />}
      </Panel>
      <div class="why-below">
        <DoFirst part={part} isHigh={isHigh} />
        <RestsOn part={part} />
      </div>
    </div>
  );
}

/** Maximum age of readings that count as the present. */
const PRESENT_MS = 15 * 60_000;

/** True if the comparison is for a requested moment, or for the present. */
function isOf(at_ms: number | null, { now }: ShownComparison, now_ms: number): boolean {
  return at_ms !== null || (now !== null && Math.abs(now_ms - now.to_ms) < PRESENT_MS);
}

function Compared({ comparison }: { readonly comparison: ShownComparison }) {
  const { now, before } = comparison;
  if (now === null || before === null) return <p class="quiet" />;
  const change = `${printLight(before.intensity_w_m2)} → ${printLight(now.intensity_w_m2)} W/m²`;
  const named = {
    name: before.location ?? operationName(before),
    day: printDay(before.start_ms),
    change,
  };
  const isStart = comparison.with === "operation_start";
  return (
    <p class="quiet">
      <WholeDates
        text={
          isStart
            ? t("compared_start", named)
            : t("compared", { ...named, id: before.operation ?? "" })
        }
      />
    </p>
  );
}

interface CompareProps {
  readonly chosen: number | null;
  readonly now: number | null;
  readonly choose: (id: number | null) => void;
}

/** The choice to compare with: the last good operation, or one of the newest. */
function CompareWith({ chosen, now, choose }: CompareProps) {
  const part = useAnswer(
    `/api/operations?limit=${LISTED}`,
    readOperations,
    ["operation"],
    OPERATIONS_POLL_MS,
  );
  const listed = (part.known?.value ?? []).filter(
    (one) => one.id !== now && one.end_ms !== null && !isCleaning(one),
  );
  const isUnlisted = chosen !== null && listed.every(({ id }) => id !== chosen);
  const choices: (readonly [string, string])[] = [
    ["", t("compare_good")],
    ...(isUnlisted ? [[String(chosen), String(chosen)] as const] : []),
    ...listed.map((one) => {
      const verdict = operationsWords(verdictWord(one));
      const name = one.location ?? operationName(one);
      const about = { id: one.id, name, day: printDay(one.start_ms), verdict };
      return [String(one.id), t("compare_one", about)] as const;
    }),
  ];
  return (
    <ChoiceInput
      label={t("compare")}
      chosen={chosen === null ? "" : String(chosen)}
      choices={choices}
      choose={(value) => choose(value === "" ? null : Number(value))}
    />
  );
}

function Causes({ comparison }: { readonly comparison: ShownComparison }) {
  const { reason, now, before, change_w_m2 } = comparison;
  if (reason !== null || now === null || before === null)
    return <p class="reason">{t(reason ?? "no_reading")}</p>;
  return (
    <>
      <Waterfall
        {...{ comparison, now_w_m2: now.intensity_w_m2, before_w_m2: before.intensity_w_m2 }}
      />
      {change_w_m2 !== null && change_w_m2 > 0 && (
        <p>{t("higher", { change: printLight(change_w_m2) })}</p>
      )}
      <CauseTable comparison={comparison} />
    </>
  );
}

interface PartProps {
  readonly part: PagePart<ShownComparison>;
}

/** The part without its problem, which is shown once, in the panel of the causes. */
const withoutProblem = ({ part }: PartProps) => ({ ...part, problem: null });

/**
 * The remedies; with `isHigh` the text that the UV intensity isn't low, so none is worth its work.
 */
function DoFirst(props: PartProps & { readonly isHigh: boolean }) {
  return (
    <Panel name="do-first" title={t("do_first")} part={withoutProblem(props)} aside="">
      {(comparison) =>
        props.isHigh ? (
          <p>
            {t("not_low", {
              light: printLight(comparison.now?.intensity_w_m2 ?? 0),
              mode: comparison.limit?.mode ?? "",
              limit: printLight(comparison.limit?.w_m2 ?? 0),
            })}
          </p>
        ) : comparison.do_first.length === 0 ? (
          <p>{t("nothing_to_do")}</p>
        ) : (
          <ol>
            {comparison.do_first.map((remedy) => {
              const { act, gain, reaches } = remedyInWords(remedy, comparison);
              return (
                <li key={remedy.act}>
                  {act} <b>{gain}</b> {reaches}
                </li>
              );
            })}
          </ol>
        )
      }
    </Panel>
  );
}

function RestsOn(props: PartProps) {
  const now_ms = useNow();
  return (
    <Panel
      name="rests-on"
      title={t("rests_on")}
      part={withoutProblem(props)}
      aside={<Evidence comparison={props.part.known?.value ?? null} />}
    >
      {(comparison) => {
        const { now, before } = comparison;
        const isStart = comparison.with === "operation_start";
        const moment = (at_ms: number) => printMoment(at_ms, now_ms);
        return (
          <ul>
            {now !== null && (
              <li>{t("readings_now", { now: now.readings, moment: moment(now.to_ms) })}</li>
            )}
            {before !== null && (
              <li>
                {isStart
                  ? t("readings_start", { before: before.readings, moment: moment(before.to_ms) })
                  : t("readings_before", {
                      ...{ before: before.readings, id: before.operation ?? "" },
                      moment: moment(before.to_ms),
                    })}
              </li>
            )}
            <Cleanings cleanings={comparison.cleanings} />
            <li>{t("same_power")}</li>
          </ul>
        );
      }}
    </Panel>
  );
}

/** The link to the readings of both times, in Trends. */
function Evidence({ comparison }: { readonly comparison: ShownComparison | null }) {
  const { now = null, before = null } = comparison ?? {};
  if (now === null) return null;
  const from = new Date(before === null ? now.start_ms : before.start_ms).toISOString();
  const to = new Date(now.to_ms).toISOString();
  return <a href={`#/trends?${new URLSearchParams({ from, to })}`}>{t("evidence")} ›</a>;
}

function Cleanings({ cleanings }: Pick<ShownComparison, "cleanings">) {
  const { measured, last_gain_percent, loss_percent_per_day_low: low } = cleanings;
  const { loss_percent_per_day_high: high } = cleanings;
  const percent = (value: number) => `${printNumber(value)}\u00a0%`;
  if (measured === 0 || last_gain_percent === null) return <li>{t("cleanings_none")}</li>;
  const sign = last_gain_percent > 0 ? "+" : "";
  return (
    <li>
      {t("cleanings_seen", { n: measured, percent: `${sign}${percent(last_gain_percent)}` })}{" "}
      {low !== null &&
        high !== null &&
        t("sleeves_lose", { low: percent(low), high: percent(high) })}
    </li>
  );
}
