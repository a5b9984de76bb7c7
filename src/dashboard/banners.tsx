// Warnings that come before all else on the page: simulated data, no connection to ballastd, not
// ready, an untrusted clock, and any other problem or alarm, also while it is ready.

import type { ActiveAlarm } from "./answers.ts";
import { printClock, printDay, printMoment } from "./print.ts";
import type { Snapshot } from "./refresh.ts";

export function Banners({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const reasons = readiness?.reasons ?? [];
  const problems = (readiness?.problems ?? []).filter((text) => !isSaid(text, reasons));
  const says = snapshot.reached && readiness !== null;
  return (
    <div class="banners">
      {readiness?.simulated === true && (
        <p class="banner simulated">SIMULATED: demonstration data, not a plant</p>
      )}
      <div role="alert">
        {!snapshot.reached && (
          <p class="banner alarm">
            No connection to ballastd since {contact(snapshot.contact_ms, now_ms)} UTC; what is
            shown is old
          </p>
        )}
        {says && !readiness.ready && (
          <p class="banner alarm">
            ballastd is not ready: {readiness.reasons.join("; ") || "no reason given"}
          </p>
        )}
        {says && readiness.clock_trusted === false && (
          <p class="banner warn">
            The clock of ballastd's computer is not trusted: ages shown here may be wrong
          </p>
        )}
        {says &&
          problems.map((text) => (
            <p key={text} class="banner warn">
              {text}
            </p>
          ))}
        {snapshot.reached &&
          (snapshot.alarms.known?.value ?? []).map((alarm) => (
            <p key={`${alarm.since_ms} ${alarm.description}`} class="banner warn">
              {alarmText(alarm, now_ms)}
            </p>
          ))}
      </div>
      <ProblemBanner text={snapshot.readiness.problem} />
    </div>
  );
}

/** A reason against readiness already contains the problem, after another word. */
function isSaid(text: string, reasons: readonly string[]): boolean {
  const problem = text.slice(text.indexOf(": ") + 2);
  return reasons.some((reason) => reason.includes(problem));
}

function alarmText({ description, since_ms }: ActiveAlarm, now_ms: number): string {
  const since = since_ms === null ? "" : ` since ${printMoment(since_ms, now_ms)}`;
  return `Alarm${since}: ${description}`;
}

/** The problem with a part's last answer; nothing without one. */
export function ProblemBanner({ text }: { text: string | null }) {
  return text === null ? null : <p class="problem">{text}</p>;
}

function contact(at_ms: number, now_ms: number): string {
  const clock = printClock(at_ms);
  return printDay(at_ms) === printDay(now_ms) ? clock : `${printDay(at_ms)} ${clock}`;
}
