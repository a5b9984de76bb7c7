// The beginning of a new ship's set-up on ballastd's own computer, if nobody has a terminal: the
// page asks for the token of the first start, which ballastd gives there until a maintainer has
// one.

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ANSWER_MAX_MS } from "../parts/act.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { replyWithin } from "../store/act.ts";
import type { AnswerProblem } from "../store/ask.ts";
import { giveEngineerToken } from "../store/token.ts";
import { readMade } from "./chief-token.tsx";

const SET_UP_PATH = "/admin/set-up";

export function SetUpHere() {
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const begin = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    const reply = await replyWithin(SET_UP_PATH, {}, ANSWER_MAX_MS);
    setBusy(false);
    setProblem(reply.problem);
    const made = reply.problem === null ? readMade(reply.body) : null;
    if (made !== null) giveEngineerToken(made.value.token);
  };
  if (problem?.status === 409) return <p role="status">{t("set_up_before")}</p>;
  return (
    <form class="set-up-here" onSubmit={begin}>
      <p>{t("set_up_here")}</p>
      <button type="submit" disabled={isBusy}>
        {t("set_up_begin")}
      </button>
      {problem !== null && (
        <div role="alert">
          <ProblemBanner problem={problem} />
        </div>
      )}
    </form>
  );
}
