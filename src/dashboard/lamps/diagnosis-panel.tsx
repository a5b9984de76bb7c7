// The causes of low light, with their shares and evidence. Evidence is in ballastd's English; the
// causes are in the language.

import { CAUSES, type Cause } from "../../bwts/diagnosis/light-loss.ts";
import { lampsWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { printMoment } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { useAnswer, useNow } from "../store/use-store.ts";
import { readDiagnosis } from "./lamp-answers.ts";
import { printPercent } from "./lamp-list.tsx";

/** It is of the newest readings, of which many come between two forecasts. */
const EVERY_MS = 60_000;

export function DiagnosisPanel() {
  const part = useAnswer("/api/diagnosis", readDiagnosis, ["forecast", "operation"], EVERY_MS);
  const now_ms = useNow();
  return (
    <Panel name="diagnosis" title={t("diagnosis")} part={part}>
      {({ at_ms, change_percent, causes, findings, message }) => (
        <>
          {change_percent !== null && at_ms !== null && (
            <p>
              {t("light_changed", {
                percent: `${change_percent > 0 ? "+" : ""}${printNumber(change_percent)}\u00a0%`,
                moment: printMoment(at_ms, now_ms),
              })}
            </p>
          )}
          {causes.length === 0 && <p lang="en">{message}</p>}
          <ul class="causes">
            {causes.map(({ cause, share, evidence }) => (
              <li key={cause}>
                <b>{causeWords(cause)}</b> {printPercent(100 * share)}
                <Bar percent={100 * share} />
                <span class="quiet" lang="en">
                  {evidence}
                </span>
              </li>
            ))}
          </ul>
          {findings.length > 0 && <h3>{t("findings")}</h3>}
          <ul class="causes">
            {findings.map(({ code, text }) => (
              <li key={code + text} lang="en">
                <code>{code}</code> {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** A cause that this page doesn't know yet stays as ballastd names it. */
function causeWords(cause: string): string {
  const known: Cause | undefined = CAUSES.find((one) => one === cause);
  return known === undefined ? cause : t(known);
}
