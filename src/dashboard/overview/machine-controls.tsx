// The time machine's controls: a form for a day and a time, and buttons that step back and on. They
// are loaded when the machine is opened.

import { speakEverywhere } from "../lang/area.ts";
import { overviewWords as t } from "../lang/words.ts";
import { Later } from "../parts/later.tsx";
import { printAge } from "../parts/moments.ts";

const HOUR_MS = 3_600_000;
const STEPS_MS = [24 * HOUR_MS, HOUR_MS, HOUR_MS / 4];
/** Time before now at which the machine begins if no moment is chosen. */
const BEGIN_MS = HOUR_MS;

/** The form with its calendar, and its words; the steps don't wait for it. */
async function loadMomentForm() {
  const [form] = await Promise.all([import("./moment-form.tsx"), speakEverywhere()]);
  return form;
}

export interface MachineProps {
  /** The moment shown; null: now. */
  readonly at_ms: number | null;
  readonly now_ms: number;
  readonly show: (at_ms: number | null) => void;
}

interface ControlsProps extends MachineProps {
  readonly step: (by_ms: number) => void;
}

export function MachineControls({ at_ms, now_ms, show, step }: ControlsProps) {
  return (
    <>
      <div class="moment-place">
        <Later
          load={loadMomentForm}
          draw={({ MomentForm }) => (
            <MomentForm
              key={at_ms}
              from_ms={at_ms ?? now_ms - BEGIN_MS}
              now_ms={now_ms}
              show={show}
            />
          )}
        />
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
