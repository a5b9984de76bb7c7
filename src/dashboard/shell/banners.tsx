// Warnings above everything else on every page: no connection to ballastd, quarantined messages, a
// wrong clock of the PLC, not ready, an untrusted clock, and any other problem, even while ballastd
// is ready.

import { shellWords as t } from "../lang/words.ts";
import { printDuration, printMoment, printSecond } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ShownReadiness } from "../store/answers.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { chooseLanguage, LANGUAGES, unreadableLanguage } from "./languages.ts";

interface BannersProps {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** True if ballastd was updated while this page was open. */
  readonly isUpdated: boolean;
}

export function Banners({ snapshot, now_ms, isUpdated }: BannersProps) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const unreadable = unreadableLanguage();
  return (
    <div class="banners" role="alert">
      {unreadable !== null && (
        <p class="banner warn" lang="en">
          {t.source.no_letters.replace("{name}", unreadable)}
          <button type="button" onClick={() => void chooseLanguage("en")}>
            {LANGUAGES[0].name}
          </button>
        </p>
      )}
      {isUpdated && <p class="banner warn">{t("updated")}</p>}
      {!snapshot.reached && (
        <p class="banner alarm">
          {t("lost", { moment: printSecond(snapshot.contact_ms, now_ms) })}
        </p>
      )}
      {snapshot.reached && readiness !== null && (
        <Readiness readiness={readiness} now_ms={now_ms} />
      )}
      {warnings(snapshot).map((text) => (
        <p key={text} class="banner warn">
          {text}
        </p>
      ))}
      <ProblemBanner problem={snapshot.readiness.problem} />
    </div>
  );
}

interface ReadinessProps {
  readonly readiness: ShownReadiness;
  readonly now_ms: number;
}

/**
 * Reasons why ballastd isn't ready: clock and quarantine in the page's language, others as they
 * came.
 */
function Readiness({ readiness, now_ms }: ReadinessProps) {
  const { ready, reasons, quarantining, plcClock } = readiness;
  const said = asideWords(readiness, now_ms);
  // A wrong clock explains such messages fully; other reasons have their own text and remedy.
  const isOfClock = quarantining?.reasons.every((reason) => reason === "future") !== false;
  const known = [plcClock?.problem, isOfClock ? quarantining?.problem : null];
  const others = reasons.filter((reason) => !known.includes(reason));
  return (
    <>
      {said !== null && (
        <p class="banner alarm" data-test="quarantining">
          {said} {quarantining !== null && <a href="#/system">{t("take_in")}</a>}
        </p>
      )}
      {!ready && (said === null || others.length > 0) && (
        <p class="banner alarm">{t("not_ready", { reasons: others.join("; ") || "—" })}</p>
      )}
    </>
  );
}

/** Text about the PLC's clock and about quarantined messages; null if there is no problem. */
function asideWords(
  { quarantining, plcClock }: Pick<ShownReadiness, "quarantining" | "plcClock">,
  now_ms: number,
): string | null {
  const clock = plcClock === null ? [] : [clockWords(plcClock)];
  // If the PLC's clock is behind, either clock can be wrong, which its sentence explains.
  const isAhead = plcClock !== null && plcClock.off_s > 0 && !plcClock.isOneOfTwo;
  if (quarantining === null)
    return clock.length === 0 ? null : [...clock, ...(isAhead ? [t("set_clock")] : [])].join(" ");
  const { messages, since_ms } = quarantining;
  const counts = t("quarantining", { n: messages, moment: printMoment(since_ms, now_ms) });
  const mend = t(isAhead ? "set_clock" : "mend_cause");
  return [...clock, counts, mend].join(" ");
}

function clockWords({ off_s, isOneOfTwo }: NonNullable<ShownReadiness["plcClock"]>): string {
  const age = printDuration(Math.abs(off_s) * 1000);
  if (isOneOfTwo) return t("two_clocks");
  return off_s > 0 ? t("plc_ahead", { age }) : t("plc_behind", { age });
}

function warnings({ reached, readiness }: Snapshot): readonly string[] {
  const known = readiness.known?.value ?? null;
  if (!reached || known === null) return [];
  const clock = known.clock_trusted === false ? [t("clock_not_trusted")] : [];
  return [...clock, ...known.problems.filter((text) => !isSaid(text, known.reasons))];
}

/** True if a reason for not being ready already contains the problem, after another word. */
function isSaid(text: string, reasons: readonly string[]): boolean {
  const problem = text.slice(text.indexOf(": ") + 2);
  return reasons.some((reason) => reason.includes(problem));
}
