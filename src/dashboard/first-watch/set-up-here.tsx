// The beginning of a new ship's set-up on ballastd's own computer, where nobody has a terminal: the
// page asks for the token of the first start, which ballastd gives there until one was made.

import { useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { ANSWER_MAX_MS } from "../parts/act.tsx";
import { replyWithin } from "../store/act.ts";
import type { AnswerProblem } from "../store/ask.ts";
import { isLike, textOrNull } from "../store/checks.ts";
import { giveEngineerToken } from "../store/token.ts";

const SET_UP_PATH = "/admin/set-up";

export function SetUpHere() {
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    const reply = await replyWithin(SET_UP_PATH, {}, ANSWER_MAX_MS);
    setBusy(false);
    setProblem(reply.problem);
    const token = isLike<{ token: string }>(reply.body) ? textOrNull(reply.body.token) : null;
    if (reply.problem === null && token !== null) giveEngineerToken(token);
  };
  // It was set up before: the token is asked for as everywhere.
  if (problem?.status === 409) return null;
  return (
    <div class="set-up-here">
      <p>{t("set_up_here")}</p>
      <button type="button" disabled={isBusy} onClick={() => void begin()}>
        {t("set_up_begin")}
      </button>
      {problem !== null && (
        <p class="problem" role="alert" lang="en">
          {problem.message}
        </p>
      )}
    </div>
  );
}
