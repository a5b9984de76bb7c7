// A step of the checklist: shape and word of its state, its title, and its content. A step that is
// done is folded until somebody opens it.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { Guarded } from "../parts/panel.tsx";
import { SIGNS } from "../parts/verdict-shapes.ts";
import type { StepState } from "./setting-fields.ts";

interface WatchStepProps {
  readonly name: string;
  readonly title: string;
  readonly state: StepState;
  /** Facts in short, beside the title. */
  readonly aside?: string;
  /** True if the step holds unsaved input, so that it stays open. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

const SHAPE_OF: Readonly<Record<StepState, string>> = {
  done: SIGNS.within_limits,
  open: SIGNS.unjudged,
  caution: "M12 4v10M12 20v.1",
  unknown: SIGNS.cannot_tell,
};

export function WatchStep(props: WatchStepProps) {
  const { name, title, state, aside = "", isKept = false, children } = props;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = isKept || (chosen ?? state !== "done");
  return (
    <li class={`step ${state}`} data-step={name} data-state={state}>
      <section aria-labelledby={`step-${name}`}>
        <div class="step-head">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={SHAPE_OF[state]} />
          </svg>
          <h3 id={`step-${name}`}>{title}</h3>
          <span class="step-state">{t(`state_${state}`)}</span>
          <button type="button" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
            {t(isOpen ? "fold" : "unfold")} <span class="unseen">{title}</span>
          </button>
          {aside !== "" && <p class="step-aside quiet">{aside}</p>}
        </div>
        {isOpen && <Guarded>{children}</Guarded>}
      </section>
    </li>
  );
}
