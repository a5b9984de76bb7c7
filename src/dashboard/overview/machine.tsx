// The time machine: chooses the moment that the overview shows, by steps or by a day and a time.
// Without a moment it is a closed line at the end of the page.

import "./machine.css";
import { useEffect, useState } from "preact/hooks";
import { speakEverywhere } from "../lang/area.ts";
import { overviewWords as t } from "../lang/words.ts";
import { KEYS } from "../parts/key-table.ts";
import { useKeys } from "../parts/keys.ts";
import { printAge, printSecond } from "../parts/moments.ts";

const HOUR_MS = 3_600_000;
const STEPS_MS = [24 * HOUR_MS, HOUR_MS, HOUR_MS / 4];
/** Time before now at which the machine begins if no moment is chosen. */
const BEGIN_MS = HOUR_MS;

interface MachineProps {
  /** The moment shown; null: now. */
  readonly at_ms: number | null;
  readonly now_ms: number;
  readonly show: (at_ms: number | null) => void;
}

/**
 * The banner above everything else: the page doesn't show the present, and the banner names the
 * parts that still do.
 */
export function PastBanner({ at_ms, now_ms, show }: MachineProps & { readonly at_ms: number }) {
  const moment = printSecond(at_ms, now_ms);
  const isPast = at_ms <= now_ms;
  return (
    <div class="past-banner" data-test="past">
      <div>
        <p role="status">{t(isPast ? "past" : "to_come", { moment })}</p>
        {isPast && <p class="small">{t("past_live")}</p>}
      </div>
      <button type="button" onClick={() => show(null)}>
        {t("to_now")}
      </button>
    </div>
  );
}

export function TimeMachine({ at_ms, now_ms, show }: MachineProps) {
  const from_ms = at_ms ?? now_ms;
  const [isOpen, setOpen] = useState(false);
  const step = (by_ms: number) => {
    const to_ms = Math.round((from_ms + by_ms) / 1000) * 1000;
    show(to_ms >= now_ms ? null : to_ms);
  };
  useKeys([
    {
      keys: KEYS.overview.step_back,
      about: t("step_back", { age: printAge(HOUR_MS) }),
      run: () => step(-HOUR_MS),
    },
    {
      keys: KEYS.overview.step_on,
      about: t("step_on", { age: printAge(HOUR_MS) }),
      run: () => step(HOUR_MS),
    },
  ]);
  const title = <h2 id="machine">{t("machine_title")}</h2>;
  const controls = <Controls {...{ at_ms, now_ms, show, step }} />;
  return (
    <section class="machine" aria-labelledby="machine">
      {at_ms === null ? (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{title}</summary>
          {isOpen && controls}
        </details>
      ) : (
        <>
          {title}
          {controls}
        </>
      )}
    </section>
  );
}

function Controls({ at_ms, now_ms, show, step }: MachineProps & { step: (by_ms: number) => void }) {
  const MomentForm = useForm();
  return (
    <>
      <div class="moment-place">
        {MomentForm !== null && (
          <MomentForm
            key={at_ms}
            from_ms={at_ms ?? now_ms - BEGIN_MS}
            now_ms={now_ms}
            show={show}
          />
        )}
      </div>
      <Steps isNow={at_ms === null} step={step} />
    </>
  );
}

function Steps({ isNow, step }: { isNow: boolean; step: (by_ms: number) => void }) {
  return (
    <div class="steps">
      {STEPS_MS.map((step_ms) => (
        <button key={step_ms} type="button" onClick={() => step(-step_ms)}>
          {t("step_back", { age: printAge(step_ms) })}
        </button>
      ))}
      {[...STEPS_MS].reverse().map((step_ms) => (
        <button key={-step_ms} type="button" disabled={isNow} onClick={() => step(step_ms)}>
          {t("step_on", { age: printAge(step_ms) })}
        </button>
      ))}
    </div>
  );
}

type LoadedForm = typeof import("./moment-form.tsx").MomentForm;

/** Loads the form with its calendar when the machine is opened; the steps don't wait for it. */
function useForm(): LoadedForm | null {
  const [form, setForm] = useState<{ readonly Form: LoadedForm } | null>(null);
  useEffect(() => {
    Promise.all([import("./moment-form.tsx"), speakEverywhere()]).then(
      ([{ MomentForm }]) => setForm({ Form: MomentForm }),
      // Ignored: the page's banner reports a missing answer.
      () => {},
    );
  }, []);
  return form?.Form ?? null;
}
