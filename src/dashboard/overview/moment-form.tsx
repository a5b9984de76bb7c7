// The form of the time machine: a day and a time by the clock that the page shows. Its script is
// loaded when the machine is opened.

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { laterWords as t } from "../lang/words.ts";
import { clockName } from "../parts/moments.ts";
import { MomentInput } from "../parts/time-fields.tsx";

interface MomentFormProps {
  readonly from_ms: number;
  readonly now_ms: number;
  readonly show: (at_ms: number) => void;
}

export function MomentForm({ from_ms, now_ms, show }: MomentFormProps) {
  const [at_ms, setAt] = useState<number | null>(from_ms);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (at_ms !== null) show(Math.floor(at_ms / 1000) * 1000);
  };
  return (
    <form class="moment" onSubmit={submit}>
      <MomentInput
        label={t("moment", { clock: clockName() })}
        at_ms={at_ms}
        latest_ms={now_ms}
        isNeeded
        choose={setAt}
      />
      <button type="submit">{t("moment_show")}</button>
    </form>
  );
}
