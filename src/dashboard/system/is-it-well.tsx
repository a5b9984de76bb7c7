// `Is it well?`: six lines with shape and word, above everything that only a technician needs.
// Shape and colour follow from the state alone, so that no line can be green without its facts.

import { systemWords as t } from "../lang/words.ts";
import { SIGNS } from "../parts/verdict-shapes.ts";
import type { PagePart } from "../store/ask.ts";
import type { KnownClocks, SystemPanelProps } from "./facts.ts";
import { type Wellness, wellLines } from "./well.ts";

const SIGN_OF = {
  well: "within_limits",
  look: "outside_limits",
  unknown: "cannot_tell",
} as const satisfies Record<Wellness, keyof typeof SIGNS>;

interface WellProps extends SystemPanelProps {
  readonly clock: PagePart<KnownClocks>;
}

export function IsItWell({ system, clock, now_ms }: WellProps) {
  return (
    <section aria-labelledby="is-it-well">
      <h3 id="is-it-well">{t("is_it_well")}</h3>
      <ul class="well-lines">
        {wellLines(system, clock, now_ms).map(({ title, state, text }) => (
          <li key={title} class={`well-line ${state}`}>
            <span class="well-state">
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={SIGNS[SIGN_OF[state]]} />
              </svg>{" "}
              {t(`state_${state}`)}
            </span>
            <b>{title}</b>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
