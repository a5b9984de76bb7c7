// "Lamp replaced", said at the cabinet on a telephone: which lamp in words and in the reactor's
// picture, when, a second look, then the token and the word itself. Afterwards the light before and
// after it.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { Bar } from "../parts/bar.tsx";
import { clockName, printMoment } from "../parts/moments.ts";
import { MomentInput } from "../parts/time-fields.tsx";
import type { ShownLamp } from "../store/overview-shapes.ts";
import { useNow } from "../store/use-store.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { lampName, placeWords, printHours, printPercent } from "./lamp-words.ts";
import { ReactorPicture } from "./reactor-picture.tsx";

interface ReplacementProps {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
  /** The lamp as the plant tells it now. */
  readonly now: ShownLamp | null;
  readonly close: () => void;
}

/** The word that is to be confirmed, and the light of the lamp that was taken out. */
interface Word {
  readonly at_ms: number;
  readonly serial: string;
  readonly hours: number;
  readonly before: number | null;
}

export function LampReplaced({ lamp, outlook, now, close }: ReplacementProps) {
  const [word, setWord] = useState<Word | null>(null);
  const [isDone, setDone] = useState(false);
  const place = useRef<HTMLParagraphElement>(null);
  // The button of the step before is gone, and the focus with it.
  useEffect(() => {
    place.current?.focus();
  }, [word, isDone]);
  const which = t("which_lamp", {
    lamp: lampName(lamp),
    place: placeWords(lamp),
    hours: printHours(outlook?.hours ?? null),
  });
  return (
    <section class="replacement" aria-labelledby="replacement">
      <h2 id="replacement">{t("replaced_title")}</h2>
      <p class="which" ref={place} tabIndex={-1}>
        {which}
      </p>
      <ReactorPicture lamps={[lamp]} />
      {word === null && (
        <WordForm
          before={outlook?.efficiency ?? now?.efficiency ?? null}
          give={setWord}
          close={close}
        />
      )}
      {word !== null && !isDone && (
        <Confirmation
          {...{ lamp, which, word }}
          back={() => setWord(null)}
          onDone={() => setDone(true)}
        />
      )}
      {word !== null && isDone && (
        <>
          <BeforeAfter {...{ lamp, word, now }} />
          <button type="button" onClick={close}>
            {t("back")}
          </button>
        </>
      )}
    </section>
  );
}

interface WordFormProps {
  readonly before: number | null;
  readonly give: (word: Word) => void;
  readonly close: () => void;
}

function WordForm({ before, give, close }: WordFormProps) {
  const now_ms = useNow();
  const [at_ms, setAt] = useState<number | null>(now_ms);
  const [isOdd, setOdd] = useState(false);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const hours = hoursOf(String(form.get("hours")));
    setOdd(hours === null);
    if (at_ms === null || hours === null) return;
    give({ at_ms, hours, serial: String(form.get("serial")).trim(), before });
  };
  return (
    <form class="replacement-choices" onSubmit={submit} autocomplete="off">
      <MomentInput
        label={t("moment_replaced", { clock: clockName() })}
        at_ms={at_ms}
        latest_ms={now_ms}
        isNeeded
        choose={setAt}
      />
      <label>
        <span>{t("new_hours")}</span>
        <input name="hours" inputMode="decimal" defaultValue="0" required />
      </label>
      <label>
        <span>{t("serial")}</span>
        <input name="serial" maxLength={200} />
      </label>
      {isOdd && (
        <p class="problem" role="alert">
          {t("odd_hours")}
        </p>
      )}
      <p>
        <button type="submit">{t("go_on")}</button>{" "}
        <button type="button" onClick={close}>
          {t("back")}
        </button>
      </p>
    </form>
  );
}

/** Plain digits with a point or a comma; null for anything else, such as a space. */
function hoursOf(text: string): number | null {
  return /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.replace(",", ".")) : null;
}

interface ConfirmationProps {
  readonly lamp: number;
  readonly which: string;
  readonly word: Word;
  readonly back: () => void;
  readonly onDone: () => void;
}

function Confirmation({ lamp, which, word, back, onDone }: ConfirmationProps) {
  const now_ms = useNow();
  const act = useAct(anyAnswer);
  const { at_ms, hours, serial } = word;
  const body = { at: new Date(at_ms).toISOString(), hours, ...(serial === "" ? {} : { serial }) };
  const path = `/admin/lamps/${LAMP_NUMBERS[lamp - 1]}/replacement`;
  return (
    <>
      <p role="status">{t("confirm", { which, moment: printMoment(at_ms, now_ms) })}</p>
      <p>
        <button type="button" disabled={act.isBusy} onClick={() => act.run(path, body, onDone)}>
          {t("confirm_yes", { lamp: lampName(lamp) })}
        </button>{" "}
        <button type="button" onClick={back}>
          {t("back")}
        </button>
      </p>
      <ActOutcomeLine act={act} />
    </>
  );
}

/** The new lamp's light is that of the newest reading, once it is of after the replacement. */
function BeforeAfter(props: { lamp: number; word: Word; now: ShownLamp | null }) {
  const { lamp, word, now } = props;
  const after = (now?.at_ms ?? 0) > word.at_ms ? (now?.efficiency ?? null) : null;
  return (
    <div role="status" data-test="replaced">
      <p>{t("stored", { lamp: lampName(lamp) })}</p>
      <p>{t("light_before", { percent: printPercent(word.before) })}</p>
      <Bar percent={word.before} />
      <p>
        {after === null ? t("light_awaited") : t("light_after", { percent: printPercent(after) })}
      </p>
      <Bar percent={after} />
    </div>
  );
}
