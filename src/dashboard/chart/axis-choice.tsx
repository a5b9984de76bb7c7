// The choice between the two axes: the calendar, and operating hours, which leave out the time in
// which no water was treated.

import { chartWords as t } from "../lang/words.ts";

export const AXES = ["calendar", "hours"] as const;
type AxisName = (typeof AXES)[number];

interface AxisChoiceProps {
  readonly axis: AxisName;
  readonly choose: (axis: AxisName) => void;
}

export function AxisChoice({ axis, choose }: AxisChoiceProps) {
  return (
    <fieldset class="segments" aria-label={t("axis")}>
      {AXES.map((name) => (
        <button type="button" key={name} aria-pressed={name === axis} onClick={() => choose(name)}>
          {t(name)}
        </button>
      ))}
    </fieldset>
  );
}
