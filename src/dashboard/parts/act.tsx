// The line below an act of the engineer: it asks for the token, if none is known, and tells the
// outcome. The act is tried again as soon as the token was given.

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { partsWords as t } from "../language/en/parts.ts";
import { shellWords } from "../language/en/shell.ts";
import { type ActOutcome, act, giveEngineerToken } from "../store/act.ts";

interface AskedAct {
  readonly path: string;
  readonly body: object;
  readonly onDone: () => void;
}

export interface EngineerAct {
  /** Null before the first try, and while one goes on. */
  readonly outcome: ActOutcome | null;
  readonly isBusy: boolean;
  run(path: string, body: object, onDone?: () => void): void;
  retry(): void;
}

export function useAct(): EngineerAct {
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const [outcome, setOutcome] = useState<ActOutcome | null>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (given: AskedAct) => {
    setAsked(given);
    setOutcome(null);
    setBusy(true);
    const said = await act(given.path, given.body);
    setBusy(false);
    setOutcome(said);
    if (said.kind === "done") given.onDone();
  };
  return {
    outcome,
    isBusy,
    run: (path, body, onDone = () => {}) => void attempt({ path, body, onDone }),
    retry: () => void (asked !== null && attempt(asked)),
  };
}

/** Nothing while there is nothing to say. */
export function ActOutcomeLine({ act: { outcome, retry } }: { act: EngineerAct }) {
  switch (outcome?.kind) {
    case "token":
      return <EngineerToken refused={outcome.message} retry={retry} />;
    case "refused":
      return (
        <p class="problem" role="alert">
          {t("act_refused")} <span lang="en">{outcome.message ?? t("no_reason")}</span>
        </p>
      );
    case "silent":
      return (
        <p class="problem" role="alert">
          {t("act_silent")}
        </p>
      );
    default:
      return null;
  }
}

function EngineerToken({ refused, retry }: { refused: string | null; retry: () => void }) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("token");
    if (typeof given !== "string" || given.trim() === "") return;
    giveEngineerToken(given.trim());
    retry();
  };
  return (
    <form class="token" onSubmit={submit} autocomplete="off">
      <p>{t("engineer_token")}</p>
      {refused !== null && (
        <p class="problem" role="alert" lang="en">
          {refused}
        </p>
      )}
      <label>
        {shellWords("token")}{" "}
        <input
          {...{ name: "token", type: "password", autocomplete: "off", spellcheck: false }}
          pattern="\s*[\x21-\x7e]+\s*"
          title={shellWords("token_pattern")}
          required
        />
      </label>{" "}
      <button type="submit">{t("engineer_continue")}</button>
      <p class="quiet small">{t("engineer_kept")}</p>
    </form>
  );
}
