// The open alerts in words, below the bar that counts them. Their texts are ballastd's and the
// plant's own.

import { shellWords as t } from "../language/en/shell.ts";
import { printMoment } from "../parts/moments.ts";
import type { OpenAlert } from "../store/answers.ts";
import type { Snapshot } from "../store/snapshot.ts";

export function AlertLines({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  const alarms = snapshot.reached ? (snapshot.alarms.known?.value ?? []) : [];
  return (
    <div class="banners">
      {alarms.map((alarm) => (
        <p key={`${alarm.since_ms} ${alarm.description}`} class="banner warn" lang="en">
          {alertText(alarm, now_ms)}
        </p>
      ))}
    </div>
  );
}

function alertText({ description, since_ms }: OpenAlert, now_ms: number): string {
  if (since_ms === null) return t("alarm", { description });
  return t("alarm_since", { moment: printMoment(since_ms, now_ms), description });
}
