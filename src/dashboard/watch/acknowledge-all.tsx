// Acknowledges several alerts with one remark and one token, one after the other: one that fails is
// named, and the others continue.

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import type { AcknowledgeBody } from "../../bwts/present/alarm-act.ts";
import { alertsWords as t } from "../lang/words.ts";
import { ANSWER_MAX_MS, anyAnswer } from "../parts/act.tsx";
import { beginningOf } from "../parts/long-text.tsx";
import type { OpenForm } from "../parts/open-form.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { EngineerTokenForm } from "../parts/token-form.tsx";
import { type ActOutcome, act } from "../store/act.ts";
import type { ShownAlert } from "../store/alerts.ts";
import type { AnswerProblem } from "../store/ask.ts";
import { actPath, remarkIn } from "./alert-acts.tsx";
import { alertName } from "./alert-words.ts";

const NAME_MAX = 60;

interface AcknowledgeAllProps {
  readonly alerts: readonly ShownAlert[];
  readonly opened: OpenForm;
}

interface FailedAlert {
  readonly alert: ShownAlert;
  readonly problem: AnswerProblem | null;
}

/** The alerts still to be acknowledged, and the failures. */
interface Progress {
  readonly left: readonly ShownAlert[];
  readonly failed: readonly FailedAlert[];
  /** The failure that stopped the run; null while it continues, and after its normal end. */
  readonly stopped: ActOutcome<unknown> | null;
}

export function AcknowledgeAll({ alerts, opened }: AcknowledgeAllProps) {
  const { form } = opened;
  const close = () => opened.setOpen(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = async (from: Progress) => {
    let { left, failed } = from;
    const remark: AcknowledgeBody = form.current === null ? {} : remarkIn(form.current);
    while (left.length > 0) {
      setProgress({ left, failed, stopped: null });
      const [alert, ...later] = left;
      const path = actPath(alert.id, "acknowledge");
      const outcome = await act(path, remark, anyAnswer, ANSWER_MAX_MS);
      // Stops here: without a token, or without an answer, the next would fail as well.
      if (outcome.needsToken || outcome.problem?.kind === "silent") {
        setProgress({ left, failed, stopped: outcome });
        return;
      }
      if (outcome.known === null) failed = [...failed, { alert, problem: outcome.problem }];
      left = later;
    }
    setProgress({ left, failed, stopped: null });
    if (failed.length === 0) close();
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ left: alerts, failed: [], stopped: null });
  };
  const isBusy = progress !== null && progress.left.length > 0 && progress.stopped === null;
  return (
    <div class="acknowledge-all" data-test="acknowledge-all">
      <form ref={form} onSubmit={submit} autocomplete="off" class="form">
        <label>
          <span>{t("note")}</span>
          <input name="note" maxLength={500} />
        </label>
        <span class="together">
          <button type="submit" disabled={isBusy || alerts.length === 0}>
            {t("acknowledge_many", { n: alerts.length })}
          </button>
          <button type="button" onClick={close}>
            {t("cancel")}
          </button>
        </span>
      </form>
      <p class="quiet">{t("panel_stays")}</p>
      {progress !== null && <Outcome progress={progress} again={() => void run(progress)} />}
    </div>
  );
}

function Outcome({ progress, again }: { progress: Progress; again: () => void }) {
  const { left, failed, stopped } = progress;
  return (
    <>
      {failed.map(({ alert, problem }) => (
        <div key={alert.id} role="alert">
          {beginningOf(alertName(alert), NAME_MAX)}
          <ProblemBanner problem={problem} />
        </div>
      ))}
      {left.length > 0 && <p role="status">{t("acknowledge_left", { n: left.length })}</p>}
      {stopped?.needsToken === true && (
        <EngineerTokenForm
          about={t("acknowledge_token")}
          refused={stopped.problem}
          isAsked
          onGiven={again}
        />
      )}
      {stopped !== null && !stopped.needsToken && (
        <p class="problem" role="alert">
          {t("no_answer")}{" "}
          <button type="button" onClick={again}>
            {t("again")}
          </button>
        </p>
      )}
    </>
  );
}
