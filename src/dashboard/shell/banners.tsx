// Warnings that come before all else on every page: no connection to ballastd, not ready, an
// untrusted clock, and any other problem or alarm, also while it is ready.

import { shellWords as t } from "../language/en/shell.ts";
import { printMoment, printSecond } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ActiveAlarm } from "../store/answers.ts";
import type { Snapshot } from "../store/snapshot.ts";

interface BannersProps {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** ballastd was updated under this page. */
  readonly isUpdated: boolean;
}

export function Banners({ snapshot, now_ms, isUpdated }: BannersProps) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const alarms = snapshot.reached ? (snapshot.alarms.known?.value ?? []) : [];
  return (
    <div class="banners">
      {isUpdated && <p class="banner warn">{t("updated")}</p>}
      <div role="alert">
        {!snapshot.reached && (
          <p class="banner alarm">
            {t("lost", { moment: printSecond(snapshot.contact_ms, now_ms) })}
          </p>
        )}
        {snapshot.reached && readiness !== null && !readiness.ready && (
          <p class="banner alarm">
            {t("not_ready", { reasons: readiness.reasons.join("; ") || "—" })}
          </p>
        )}
        {warnings(snapshot).map((text) => (
          <p key={text} class="banner warn">
            {text}
          </p>
        ))}
        {alarms.map((alarm) => (
          <p key={`${alarm.since_ms} ${alarm.description}`} class="banner warn">
            {alarmText(alarm, now_ms)}
          </p>
        ))}
      </div>
      <ProblemBanner problem={snapshot.readiness.problem} />
    </div>
  );
}

function warnings({ reached, readiness }: Snapshot): readonly string[] {
  const known = readiness.known?.value ?? null;
  if (!reached || known === null) return [];
  const clock = known.clock_trusted === false ? [t("clock_not_trusted")] : [];
  return [...clock, ...known.problems.filter((text) => !isSaid(text, known.reasons))];
}

/** A reason against readiness already contains the problem, after another word. */
function isSaid(text: string, reasons: readonly string[]): boolean {
  const problem = text.slice(text.indexOf(": ") + 2);
  return reasons.some((reason) => reason.includes(problem));
}

function alarmText({ description, since_ms }: ActiveAlarm, now_ms: number): string {
  if (since_ms === null) return t("alarm", { description });
  return t("alarm_since", { moment: printMoment(since_ms, now_ms), description });
}
