// The time machine: chooses the moment that the overview shows, by steps or by a date and time in
// UTC. Without a moment it is a closed line at the end of the page.

import "./machine.css";
import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { overviewWords as t } from "../lang/words.ts";
import { KEYS } from "../parts/key-table.ts";
import { useKeys } from "../parts/keys.ts";
import { printAge, printSecond } from "../parts/moments.ts";

const HOUR_MS = 3_600_000;
const STEPS_MS = [24 * HOUR_MS, HOUR_MS, HOUR_MS / 4];
/** Without a moment the machine begins so long ago. */
const BEGIN_MS = HOUR_MS;

interface MachineProps {
  /** Null: now. */
  readonly at_ms: number | null;
  readonly now_ms: number;
  readonly show: (at_ms: number | null) => void;
}

/** Tells above everything else that this isn't the present, and what nevertheless is. */
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
  const controls = (
    <>
      <MomentForm key={at_ms} from_ms={at_ms ?? now_ms - BEGIN_MS} now_ms={now_ms} show={show} />
      <Steps isNow={at_ms === null} step={step} />
    </>
  );
  return (
    <section class="machine" aria-labelledby="machine">
      {at_ms === null ? (
        <details>
          <summary>{title}</summary>
          {controls}
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

/** As the field of the browser has it, in UTC: `2026-05-01T06:30`. */
const written = (at_ms: number) => new Date(at_ms).toISOString().slice(0, 16);

interface MomentFormProps {
  readonly from_ms: number;
  readonly now_ms: number;
  readonly show: (at_ms: number) => void;
}

function MomentForm({ from_ms, now_ms, show }: MomentFormProps) {
  const [start] = useState(() => written(from_ms));
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("moment");
    const at_ms = Date.parse(`${String(given)}:00Z`);
    if (!Number.isNaN(at_ms) && at_ms < now_ms) show(at_ms);
  };
  return (
    <form class="moment" onSubmit={submit}>
      <label>
        {t("moment")}{" "}
        <input
          name="moment"
          type="datetime-local"
          defaultValue={start}
          max={written(now_ms)}
          required
        />
      </label>
      <button type="submit">{t("moment_show")}</button>
    </form>
  );
}
