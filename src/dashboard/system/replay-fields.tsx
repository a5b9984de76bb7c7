// The fields for taking in quarantined messages again, one or all of a reason: the shift of their
// times, a dry run, and the act itself.

import type { TargetedSubmitEvent } from "preact";
import { systemWords as t } from "../lang/words.ts";

interface ReplayFieldsShown {
  /** The proposed shift, s. */
  readonly shift: string;
  /** The word on the button. */
  readonly replay: string;
  readonly isBusy: boolean;
}

export function ReplayFields({ shift, replay, isBusy }: ReplayFieldsShown) {
  return (
    <>
      <label>
        {t("shift")} <input name="shift" type="number" step="0.001" defaultValue={shift} required />
      </label>
      <div class="buttons">
        <button type="submit" name="how" value="try" disabled={isBusy}>
          {t("try")}
        </button>
        <button type="submit" name="how" value="replay" disabled={isBusy}>
          {replay}
        </button>
      </div>
    </>
  );
}

/** The values of the submitted form's fields, in the form of the API. */
export function replayFormValues({
  currentTarget,
  submitter,
}: TargetedSubmitEvent<HTMLFormElement>) {
  const dry_run = submitter?.getAttribute("value") === "try";
  return () => {
    const given = new FormData(currentTarget);
    return { given, shift_seconds: Number(given.get("shift")), dry_run };
  };
}
