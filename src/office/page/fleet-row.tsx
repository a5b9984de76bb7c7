// A ship's row. Its last report is shown as the present only while the server says that it is; for
// a ship without contact the row has the report's time and no figure that changes by the hour. The
// state of contact is shown by a shape as well as by colour and words: a disc, a ring, a triangle.

import { shellWords, fleetWords as t } from "../../dashboard/lang/words.ts";
import { LongText } from "../../dashboard/parts/long-text.tsx";
import { printAge, printDay, printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING, printNumber } from "../../dashboard/parts/numbers.ts";
import type { ShownReport, ShownShip } from "./fleet-answers.ts";
import { LastVerdictSign } from "./verdict-sign.tsx";

interface ShipRowProps {
  readonly ship: ShownShip;
  readonly now_ms: number;
}

const NAME_MAX = 60;
const WORDS_MAX = 40;
const BYTES_PER_MB = 1_000_000;

export function ShipRow({ ship: row, now_ms }: ShipRowProps) {
  const { ship, name, troubles, raw_ms, version, boxes } = row;
  const now = row.report?.isCurrent === true ? row.report : null;
  return (
    <tr data-test={`ship-${ship}`}>
      <th scope="row">
        <a class="alone" href={`#/ship?imo=${ship}`} dir="auto">
          {short(name)}
        </a>
        <span class="quiet">{shellWords("imo", { number: ship })}</span>
        {troubles.length > 0 && (
          <span class="troubles">{troubles.map((name) => t(`trouble_${name}`)).join(", ")}</span>
        )}
        {boxes !== null && boxes > 1 && <span class="troubles">{t("boxes", { n: boxes })}</span>}
      </th>
      <td>
        <ContactSign ship={row} now_ms={now_ms} />
      </td>
      <td>{raw_ms === null ? MISSING : printMoment(raw_ms, now_ms)}</td>
      <td>
        <BacklogFigures report={now} now_ms={now_ms} />
      </td>
      <td class="words">
        <State report={row.report} now_ms={now_ms} />
      </td>
      <td>
        <Alarms codes={now?.alarms ?? null} />
      </td>
      <td>
        <LastVerdictSign last={row.lastVerdict} now_ms={now_ms} />
      </td>
      <td>{printNumber(now?.health ?? null)}</td>
      <td>{lampDue(row.report)}</td>
      <td>
        <ChainState ship={row} />
      </td>
      <td>{offset(now)}</td>
      <td>{version === null ? MISSING : <LongText text={version} max={WORDS_MAX} />}</td>
      <td>{megabytes(now?.today_bytes ?? null, isOfToday(now, now_ms))}</td>
      <td>{megabytes(now?.month_bytes ?? null, isOfMonth(now, now_ms))}</td>
    </tr>
  );
}

/** The beginning of a long name; the ship's own page has all of it. */
function short(name: string): string {
  const characters = [...name];
  return characters.length <= NAME_MAX ? name : `${characters.slice(0, NAME_MAX).join("")}…`;
}

/** The sign of contact. Contact without current readings has its own shape. */
export function ContactSign({ ship, now_ms }: ShipRowProps) {
  const { contact, contact_ms, readings, data_ms } = ship;
  const age = contact_ms === null ? "" : printAge(now_ms - contact_ms);
  const isWithout = contact === "contact" && readings !== "current";
  const state = contact !== "contact" ? "bad" : isWithout ? "without" : "good";
  const text =
    contact === "never"
      ? t("is_never")
      : contact === "no_contact"
        ? t("is_no_contact", { age })
        : t(isWithout ? "is_contact_without" : "is_contact", { age });
  return (
    <span class={`sign ${state}`} data-test={`contact-${ship.ship}`} data-state={state}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {state === "good" && <circle class="solid" cx="12" cy="12" r="8" />}
        {state === "without" && <circle cx="12" cy="12" r="8" />}
        {state === "bad" && <path d="M12 4l9 16H3z" />}
      </svg>
      <b>{text}</b>
      {isWithout && data_ms !== null && (
        <small>{t("newest_reading", { moment: printMoment(data_ms, now_ms) })}</small>
      )}
    </span>
  );
}

interface SaidProps {
  readonly report: ShownReport | null;
  readonly now_ms: number;
}

/** The state in the report, with the report's time if it isn't current. */
function State({ report, now_ms }: SaidProps) {
  if (report === null) return <>{MISSING}</>;
  const { state, port, received_ms, isCurrent } = report;
  const words = [state ?? t("no_state"), ...(port === null ? [] : [port])].join(" · ");
  if (isCurrent)
    return (
      <b lang="en">
        <LongText text={words} max={WORDS_MAX} />
      </b>
    );
  const moment = received_ms === null ? MISSING : printMoment(received_ms, now_ms);
  return (
    <span class="quiet" lang="en">
      <LongText text={t("said_last", { moment, state: words })} max={2 * WORDS_MAX} />
    </span>
  );
}

export function BacklogFigures({ report, now_ms }: SaidProps) {
  if (report === null || report.links === null) return <>{MISSING}</>;
  const { links, bytes, since_ms, minutes } = report;
  if (links === 0 && (bytes ?? 0) === 0) return <>{t("nothing_left")}</>;
  return (
    <>
      {t("segments", { n: links })}
      {bytes !== null && <span>, {`${printNumber(bytes / BYTES_PER_MB)}\u00a0MB`}</span>}
      {since_ms !== null && <small>{t("oldest", { moment: printMoment(since_ms, now_ms) })}</small>}
      {minutes !== null && <small>{t("minutes_left", { n: Math.ceil(minutes) })}</small>}
    </>
  );
}

function Alarms({ codes }: { readonly codes: readonly string[] | null }) {
  if (codes === null) return <>{MISSING}</>;
  if (codes.length === 0) return <>0</>;
  return (
    <span class="alarming" lang="en">
      <b>{codes.length}</b> <LongText text={[...new Set(codes)].join(", ")} max={WORDS_MAX} />
    </span>
  );
}

export function ChainState({ ship }: { readonly ship: ShownShip }) {
  const { verified_to, forks, isRefused } = ship;
  return (
    <>
      {verified_to === null ? t("nothing_verified") : t("verified_to", { number: verified_to })}
      {forks !== null && forks > 0 && <span class="troubles">{t("forks", { n: forks })}</span>}
      {isRefused && <span class="troubles">{t("is_refused")}</span>}
    </>
  );
}

/** The date of the next lamp's end. As a date it stays useful longer than the report is current. */
export function lampDue(report: ShownReport | null): string {
  const due = report?.lamp_due ?? null;
  return due === null ? MISSING : t("lamp_date", { lamp: due.lamp, date: due.date });
}

/** The office's clock minus the ship's, in seconds. */
export function offset(report: ShownReport | null): string {
  const offset_ms = report?.offset_ms ?? null;
  if (offset_ms === null) return MISSING;
  return `${offset_ms > 0 ? "+" : ""}${printNumber(offset_ms / 1000)}`;
}

/**
 * True if the report is of today by both clocks, since one of them may be off: yesterday's bytes
 * aren't today's.
 */
export function isOfToday(report: ShownReport | null, now_ms: number): boolean {
  return isOf(report, (at_ms) => printDay(at_ms, "utc") === printDay(now_ms, "utc"));
}

export function isOfMonth(report: ShownReport | null, now_ms: number): boolean {
  const month = (at_ms: number) => printDay(at_ms, "utc").slice(0, "2026-05".length);
  return isOf(report, (at_ms) => month(at_ms) === month(now_ms));
}

function isOf(report: ShownReport | null, isThen: (at_ms: number) => boolean): boolean {
  const { at_ms = null, received_ms = null } = report ?? {};
  return at_ms !== null && received_ms !== null && isThen(at_ms) && isThen(received_ms);
}

export function megabytes(bytes: number | null, isNow: boolean): string {
  return bytes === null || !isNow ? MISSING : printNumber(bytes / BYTES_PER_MB);
}
