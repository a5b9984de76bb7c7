// The time machine: chooses the moment that the overview shows, by steps or by a day and a time.
// Without a moment it is a closed line at the end of the page.

import "./machine.css";
import { useState } from "preact/hooks";
import { overviewWords as t } from "../lang/words.ts";
import { KEYS } from "../parts/key-table.ts";
import { useKeys } from "../parts/keys.ts";
import { Later } from "../parts/later.tsx";
import { printAge, printSecond } from "../parts/moments.ts";
import type { MachineProps } from "./machine-controls.tsx";

const loadMachineControls = () => import("./machine-controls.tsx");

const HOUR_MS = 3_600_000;

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
  const controls = (
    <Later
      load={loadMachineControls}
      draw={({ MachineControls }) => <MachineControls {...{ at_ms, now_ms, show, step }} />}
    />
  );
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
