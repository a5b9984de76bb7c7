// The outcome of the comparison: the number of matches, faults of the book in itself, and each
// entry of the log beside the officer's, marked by a word and a shape.

import type { ComponentChildren } from "preact";
import { recordBookWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import { printMinute } from "../parts/moments.ts";
import { MISSING, printNumber, writtenUnit } from "../parts/numbers.ts";
import {
  RESULT_WORDS,
  type ShownDifference,
  type ShownOutcome,
  type ShownResult,
  type ShownSide,
} from "./book-answers.ts";

const M3 = writtenUnit("m3");

/** Shapes of the results, each of its own, so that they can be read without colour. */
const SHAPES: Readonly<Record<ShownResult["result"], string>> = {
  match: "M4 13l5 5L20 6",
  differs: "M5 9h14M5 15h14M17 4L7 20",
  partly_compared: "M4 12c3-6 5-6 8 0s5 6 8 0",
  log_only: "M14 5l-7 7 7 7",
  book_only: "M10 5l7 7-7 7",
  no_failure_entry: "M12 3L2 21h20zM12 10v5M12 18v.5",
  not_compared: "M6 12h12",
};

/** The sentence about agreement; it mentions if less than the whole book was compared. */
function agreement({ agrees, results }: ShownOutcome): string {
  if (!agrees) return t("disagrees");
  const unknown = results.filter(({ result }) => result === "not_compared").length;
  if (unknown === 0) return t("agrees");
  return t("agrees_where_compared", { n: printNumber(unknown) });
}

export function BookOutcome({ outcome }: { outcome: ShownOutcome }) {
  const { problems, faults, results } = outcome;
  const counts = RESULT_WORDS.map((word) => ({
    word,
    n: results.filter(({ result }) => result === word).length,
  }));
  return (
    <div class="outcome" data-test="outcome">
      <p class="big" role="status">
        {agreement(outcome)}
      </p>
      <ul class="counts">
        {counts
          .filter(({ n }) => n > 0)
          .map(({ word, n }) => (
            <li key={word}>
              <Mark result={word} /> {t(word)}: {printNumber(n)}
            </li>
          ))}
      </ul>
      <p class="quiet">{spanText(outcome)}</p>
      {!outcome.isOrderTold && (
        <p>{t(outcome.isDayFirst ? "day_first_assumed" : "month_first_assumed")}</p>
      )}
      <ReadNotes outcome={outcome} />
      {problems.length > 0 && (
        <Lines title={t("unread")}>
          {problems.map(({ line, problem }) => (
            <li key={`${line} ${problem}`}>
              {t("line", { line })} <LongText text={problem} max={300} />
            </li>
          ))}
        </Lines>
      )}
      {faults.length > 0 && (
        <Lines title={t("faults")}>
          {faults.map((one) => (
            <li key={`${one.line} ${one.fault}`}>{faultText(one)}</li>
          ))}
        </Lines>
      )}
      <ol class="results">
        {results.map((one, index) => (
          <Result key={`${index} ${one.result}`} one={one} />
        ))}
      </ol>
    </div>
  );
}

/**
 * Notes about assumptions and omissions in reading the book, which the officer may not have meant.
 */
function ReadNotes({ outcome }: { outcome: ShownOutcome }) {
  const { shift, isZoneTold, unknown_columns, left_out_lines } = outcome;
  const shifted = shift === null || shift.minutes > 0 ? "shifted_ahead" : "shifted_behind";
  return (
    <>
      {shift !== null && (
        <p data-test="shift">
          <strong>
            {t(shifted, {
              n: shift.entries,
              hours: printNumber(Math.abs(shift.minutes) / 60),
              zone: shift.zone,
            })}
          </strong>
        </p>
      )}
      {!isZoneTold && <p class="quiet">{t("zone_assumed")}</p>}
      {unknown_columns.length > 0 && (
        <p>
          <LongText text={t("unknown_columns", { names: unknown_columns.join(", ") })} max={300} />
        </p>
      )}
      {left_out_lines.length > 0 && (
        <p class="quiet">
          <LongText text={t("left_out", { lines: left_out_lines.join(", ") })} max={300} />
        </p>
      )}
    </>
  );
}

function Lines({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <h3>{title}</h3>
      <ul class="book-faults">{children}</ul>
    </>
  );
}

function spanText({ from_ms, to_ms, time_minutes, volume_percent, outside_range }: ShownOutcome) {
  const given = {
    ...{ from: printMinute(from_ms), to: printMinute(to_ms) },
    ...{ minutes: time_minutes, percent: volume_percent },
  };
  const outside = outside_range === 0 ? "" : ` ${t("outside_range", { n: outside_range })}`;
  return from_ms === to_ms ? "" : `${t("compared", given)}${outside}`;
}

function Mark({ result }: { result: ShownResult["result"] }) {
  return (
    <svg class={`outcome-mark ${result}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[result]} />
    </svg>
  );
}

function Result({ one }: { one: ShownResult }) {
  const { result, log, book, differences, uncompared } = one;
  return (
    <li class={`result ${result}`}>
      <h3>
        <Mark result={result} /> {t(result)}
      </h3>
      <Side title={t("log")} side={log} absent={t("no_operation")} />
      <Side title={t("book")} side={book} absent={t("no_entry")} />
      {differences.length + uncompared.length > 0 && (
        <ul class="differences">
          {differences.map((difference) => (
            <li key={difference.differs}>{differenceText(difference)}</li>
          ))}
          {uncompared.map((fact) => (
            <li key={`${fact} uncompared`}>{uncomparedText(fact)}</li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Side({ title, side, absent }: { title: string; side: ShownSide | null; absent: string }) {
  if (side === null)
    return (
      <div class="side">
        <h4>{title}</h4>
        <p>{absent}</p>
      </div>
    );
  const { code, start_ms, end_ms, location, volume_m3, lines } = side;
  const time = (at_ms: number | null) => (at_ms === null ? MISSING : printMinute(at_ms));
  return (
    <div class="side">
      <h4>
        {title} {lines.length > 0 && <small>{t("line", { line: lines.join(", ") })}</small>}
      </h4>
      <p>
        <b>{code ?? MISSING}</b> {time(start_ms)} – {time(end_ms)}
      </p>
      <p>
        <span lang="en">
          <LongText text={location ?? MISSING} />
        </span>{" "}
        {volume_m3 === null ? MISSING : `${printNumber(volume_m3)} ${M3}`}
      </p>
    </div>
  );
}

const FAULTS = [
  ...(["old_item", "missing_start", "missing_end", "missing_volume", "missing_location"] as const),
  ...(["missing_tanks", "end_before_start", "no_such_date", "overlap", "wrong_order"] as const),
];

function faultText({ line, fault, got, other_line }: ShownOutcome["faults"][number]): string {
  const known = FAULTS.find((one) => one === fault);
  const other = other_line === null ? "" : ` ${t("line", { line: other_line })}`;
  const said = `${t("line", { line })} ${known === undefined ? fault : t(known)}${other}`;
  return got === null ? said : `${said} (${got})`;
}

function differenceText({ differs, log, book, by }: ShownDifference): string {
  switch (differs) {
    case "start":
    case "end": {
      const late = (by ?? 0) >= 0;
      const n = Math.abs(by ?? 0);
      if (differs === "start") return t(late ? "start_late" : "start_early", { n });
      return t(late ? "end_late" : "end_early", { n });
    }
    case "volume":
      return t("volume_off", { log: sized(log), book: sized(book), by: by ?? MISSING });
    case "place":
      return t("place_off", { log: log ?? MISSING, book: book ?? MISSING });
    case "code":
      return t("code_off", { log: log ?? MISSING, book: book ?? MISSING });
    case "split":
      return t("split_off", { n: typeof log === "number" ? log : 0 });
    default:
      return differs;
  }
}

const FACTS = {
  ...({ start: "start_uncompared", end: "end_uncompared", volume: "volume_uncompared" } as const),
  ...({ place: "place_uncompared", code: "code_uncompared" } as const),
};

/**
 * Text about a fact that couldn't be compared; a fact unknown to this page is shown by its name.
 */
function uncomparedText(fact: string): string {
  const known = Object.entries(FACTS).find(([name]) => name === fact)?.[1];
  return known === undefined ? fact : t(known);
}

const sized = (value: string | number | null) =>
  typeof value === "number" ? `${printNumber(value)} ${M3}` : MISSING;
