// The calendar of a month, from Monday, below a field; pressing a day chooses it. Arrow keys move
// by days and weeks, Page Up and Page Down by months.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { currentLanguage } from "../lang/area.ts";
import { datesWords as t } from "../lang/words.ts";
import { printDay } from "./moments.ts";

const DAY_MS = 86_400_000;
const WEEK = 7;
/** A Monday, from which the names of weekdays are counted. */
const MONDAY_MS = Date.UTC(2024, 0, 1);

/** Start of a calendar day in UTC, where all days have 24 hours. */
const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (at_ms: number) => new Date(at_ms).toISOString().slice(0, 10);

interface CalendarProps {
  readonly day: string | null;
  /** Latest day that can be chosen, in ms. */
  readonly latest_ms: number;
  readonly choose: (day: string) => void;
}

export function Calendar({ day, latest_ms, choose }: CalendarProps) {
  const latest = printDay(latest_ms);
  const [reached, setReached] = useState(day ?? latest);
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    table.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [reached]);
  const go = (to: string) => setReached(to > latest ? latest : to);
  const onKey = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(reached);
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const month = reached.slice(0, 7);
  return (
    <>
      <div class="calendar-head">
        <MonthButton label={t("year_before")} text="«" go={() => go(monthsOn(reached, -12))} />
        <MonthButton label={t("month_before")} text="‹" go={() => go(monthsOn(reached, -1))} />
        <b aria-live="polite">{month}</b>
        <MonthButton label={t("month_after")} text="›" go={() => go(monthsOn(reached, 1))} />
        <MonthButton label={t("year_after")} text="»" go={() => go(monthsOn(reached, 12))} />
      </div>
      <table class="calendar" ref={table} aria-label={month} onKeyDown={onKey}>
        <thead>
          <tr>
            {weekDays().map(([short, long]) => (
              <th scope="col" key={long} abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one}>
                  <button
                    type="button"
                    tabIndex={one === reached ? 0 : -1}
                    aria-label={`${Number(one.slice(8))}, ${one}`}
                    aria-pressed={one === day}
                    class={one.startsWith(month) ? "" : "other-month"}
                    disabled={one > latest}
                    onClick={() => choose(one)}
                  >
                    {Number(one.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function MonthButton({ label, text, go }: { label: string; text: string; go: () => void }) {
  return (
    <button type="button" aria-label={label} onClick={go}>
      {text}
    </button>
  );
}

const STEPS: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => dayOf(msOf(day) - DAY_MS),
  ArrowRight: (day) => dayOf(msOf(day) + DAY_MS),
  ArrowUp: (day) => dayOf(msOf(day) - WEEK * DAY_MS),
  ArrowDown: (day) => dayOf(msOf(day) + WEEK * DAY_MS),
  PageUp: (day) => monthsOn(day, -1),
  PageDown: (day) => monthsOn(day, 1),
};

/** The same day of the month `months` later, or that month's last day if it is shorter. */
function monthsOn(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

/**
 * Six weeks from the Monday on or before the first: every month has the same height on the page.
 */
function weeksOf(month: string): readonly (readonly string[])[] {
  const first_ms = msOf(`${month}-01`);
  const start_ms = first_ms - ((new Date(first_ms).getUTCDay() + 6) % WEEK) * DAY_MS;
  const days = (from: number) => (_: unknown, at: number) => dayOf(start_ms + (from + at) * DAY_MS);
  return Array.from({ length: 6 }, (_, week) => Array.from({ length: WEEK }, days(week * WEEK)));
}

function weekDays(): readonly (readonly [short: string, long: string])[] {
  const { code } = currentLanguage();
  const named = (weekday: "narrow" | "long", at_ms: number) =>
    new Intl.DateTimeFormat(code, { weekday, timeZone: "UTC" }).format(at_ms);
  return Array.from({ length: WEEK }, (_, at) => {
    const at_ms = MONDAY_MS + at * DAY_MS;
    return [named("narrow", at_ms), named("long", at_ms)];
  });
}
