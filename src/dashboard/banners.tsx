// What must be known before anything else on the page is believed: that the data is simulated, that
// ballastd can't be reached, that it isn't ready, that its clock isn't trusted.

import { printClock, printDay } from "./print.ts";
import type { Snapshot } from "./refresh.ts";

export function Banners({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const mqttProblem = readiness?.mqtt?.problem ?? null;
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
        {says && mqttProblem !== null && <p class="banner warn">MQTT: {mqttProblem}</p>}
      </div>
      <Problem text={snapshot.readiness.problem} />
    </div>
  );
}

/** What went wrong with a part's last answer; nothing when nothing did. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : <p class="problem">{text}</p>;
}

function contact(at_ms: number, now_ms: number): string {
  const clock = printClock(at_ms);
  return printDay(at_ms) === printDay(now_ms) ? clock : `${printDay(at_ms)} ${clock}`;
}
