// "Lamp replaced", stated at the cabinet on a telephone: which lamp, when, a second look, then the
// token. Afterwards it shows the light before and after the replacement.

import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { lampsWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { useCountersDivisor } from "../parts/counters-note.tsx";
import { clockName, printMoment } from "../parts/moments.ts";
import { MomentInput } from "../parts/time-fields.tsx";
import type { ShownLamp } from "../store/overview-shapes.ts";
import { useAnswer, useNow, useSnapshot } from "../store/use-store.ts";
import { type LampOutlook, readLampCounters } from "./lamp-answers.ts";
import { lampDigits, lampName, printHours, printPercent } from "./lamp-words.ts";
import { counterDoubt, lightAfter } from "./replacement-doubt.ts";
import { Confirmation, LampStatement, whichLamp } from "./statement.tsx";

interface ReplacementProps {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
  /** The lamp in the plant's newest readings. */
  readonly now: ShownLamp | null;
  readonly close: () => void;
  /** Takes the replacement back: it was the wrong lamp, or a mistake. */
  readonly takeBack: (stated_ms: number) => void;
}

/** The statement to be confirmed, and the light of the lamp that was taken out. */
interface Word {
  readonly at_ms: number;
  readonly serial: string;
  readonly hours: number;
  readonly before: number | null;
}

export function LampReplaced({ lamp, outlook, now, close, takeBack }: ReplacementProps) {
  const now_ms = useNow();
  const [word, setWord] = useState<Word | null>(null);
  const [isDone, setDone] = useState(false);
  const which = whichLamp(lamp, outlook);
  const back = word === null || isDone ? close : () => setWord(null);
  const step = isDone ? "done" : word;
  return (
    <LampStatement title={t("replaced_title")} {...{ step, lamp, which, back }}>
      {word === null && (
        <WordForm
          before={outlook?.efficiency ?? now?.efficiency ?? null}
          give={setWord}
          close={close}
        />
      )}
      {word !== null && !isDone && (
        <Confirmation
          lamp={lamp}
          question={t("confirm", { which, moment: printMoment(word.at_ms, now_ms) })}
          yes={t("confirm_yes", { lamp: lampName(lamp) })}
          body={bodyOf(word)}
          back={back}
          onDone={() => setDone(true)}
        >
          <CounterDoubt {...{ lamp, word }} />
        </Confirmation>
      )}
      {word !== null && isDone && (
        <>
          <BeforeAfter {...{ lamp, word, now }} />
          <CounterDoubt {...{ lamp, word }} />
          <p>
            <button type="button" onClick={close}>
              {t("back")}
            </button>{" "}
            <button type="button" onClick={() => takeBack(word.at_ms)}>
              {t("not_replaced")}
            </button>
          </p>
        </>
      )}
    </LampStatement>
  );
}

function bodyOf({ at_ms, hours, serial }: Word): object {
  return { at: new Date(at_ms).toISOString(), hours, ...(serial === "" ? {} : { serial }) };
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

/** The hours in a text of plain digits with a point or a comma; null for any other text. */
function hoursOf(text: string): number | null {
  return /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.replace(",", ".")) : null;
}

/**
 * A doubt about the PLC's counter: it wasn't reset, or another lamp was replaced. Nothing is shown
 * while the counter isn't in hours.
 */
function CounterDoubt({ lamp, word }: { lamp: number; word: Word }) {
  const now_ms = useNow();
  const divisor = useCountersDivisor();
  const { known } = useAnswer("/api/telemetry/latest", readLampCounters, ["reading"]);
  const counter = known?.value[lamp - 1] ?? null;
  const doubt = counter === null || divisor !== null ? null : counterDoubt(word, counter);
  if (counter === null || doubt === null) return null;
  const given = {
    ...{ number: lampDigits(lamp), hours: printHours(counter.counter_h) },
    moment: printMoment(counter.read_ms, now_ms),
  };
  return (
    <p class="problem" role="status" data-test="counter-doubt">
      {t(doubt === "stands" ? "counter_stands" : "counter_goes_on", given)}
    </p>
  );
}

/**
 * The light before and after: the new lamp's is shown once a newest reading is of treatment after
 * the replacement.
 */
function BeforeAfter(props: { lamp: number; word: Word; now: ShownLamp | null }) {
  const { lamp, word, now } = props;
  const { verdict } = useSnapshot().overview.known?.value ?? { verdict: null };
  const after = lightAfter(word.at_ms, now, verdict?.value ?? null);
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
