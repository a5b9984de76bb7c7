// The choice of an export's range: a preset, or whole days by the clock that the page shows, which
// is named beside each. The resulting ends are shown below.

import type { ComponentChildren } from "preact";
import { exportWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { clockName, dayEnd, dayStart, printDay, printMoment } from "../parts/moments.ts";
import type { PageProps } from "../parts/page.tsx";
import { DayInput } from "../parts/time-fields.tsx";
import { useNow } from "../store/use-store.ts";
import { type CHOICE, type ChosenRange, type ExportChoice, isBackwards, RANGES } from "./choice.ts";

interface RangeChoiceProps {
  readonly choice: ExportChoice;
  readonly range: ChosenRange;
  readonly change: PageProps<typeof CHOICE>["change"];
  /** Other choices, shown before it in the same line. */
  readonly children: ComponentChildren;
}

export function RangeChoice({ choice, range, change, children }: RangeChoiceProps) {
  const now_ms = useNow();
  const choose = (range: (typeof RANGES)[number]) => {
    const today = printDay(now_ms);
    const dates = { from: choice.from ?? dayStart(today), to: choice.to ?? dayEnd(today) };
    change(range === "dates" ? { range, ...dates } : { range }, "none");
  };
  return (
    <>
      <div class="export-choices">
        {children}
        <ChoiceInput
          label={t("range")}
          chosen={choice.range}
          choices={RANGES.map((name) => [name, t(name)] as const)}
          choose={choose}
        />
        {choice.range === "dates" && (
          <>
            <DayInput
              label={t("first_day", { clock: clockName() })}
              at_ms={choice.from}
              latest_ms={now_ms}
              choose={(day) => day !== null && change({ from: dayStart(day) }, "none")}
            />
            <DayInput
              label={t("last_day", { clock: clockName() })}
              at_ms={choice.to}
              latest_ms={now_ms}
              choose={(day) => day !== null && change({ to: dayEnd(day) }, "none")}
            />
          </>
        )}
      </div>
      <p class={isBackwards(range) ? "problem" : "quiet"} role="status">
        {rangeText(range, now_ms)}
      </p>
    </>
  );
}

function rangeText(range: ChosenRange, now_ms: number): string {
  const { from_ms, to_ms } = range;
  if (isBackwards(range)) return t("backwards");
  if (from_ms === null) return "";
  const from = printMoment(from_ms, now_ms);
  if (to_ms === null) return t("since", { moment: from });
  return t("from_to", { from, to: printMoment(Math.min(to_ms, now_ms), now_ms) });
}
