// "It wasn't replaced": takes back a replacement that was stated for the wrong lamp, or by mistake.
// The record of the lamp before then continues.

import { useState } from "preact/hooks";
import { lampsWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { useNow } from "../store/use-store.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { lampName } from "./lamp-words.ts";
import { Confirmation, LampStatement, whichLamp } from "./statement.tsx";

interface NotReplacedProps {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
  /** Time of the replacement that is taken back, as stated. */
  readonly stated_ms: number;
  readonly close: () => void;
}

export function LampNotReplaced({ lamp, outlook, stated_ms, close }: NotReplacedProps) {
  const now_ms = useNow();
  const [isDone, setDone] = useState(false);
  // The lamp's text is kept from the start, because its hours change with the statement.
  const [which] = useState(() => whichLamp(lamp, outlook));
  const given = { lamp: lampName(lamp), moment: printMoment(stated_ms, now_ms) };
  return (
    <LampStatement title={t("not_replaced")} step={isDone} back={close} {...{ lamp, which }}>
      {isDone ? (
        <>
          <p role="status" data-test="taken-back">
            {t("not_replaced_stored", given)}
          </p>
          <button type="button" onClick={close}>
            {t("back")}
          </button>
        </>
      ) : (
        <Confirmation
          lamp={lamp}
          question={t("not_replaced_confirm", { ...given, which })}
          yes={t("not_replaced_yes", given)}
          body={{ at: new Date(stated_ms).toISOString(), replaced: false }}
          back={close}
          onDone={() => setDone(true)}
        />
      )}
    </LampStatement>
  );
}
