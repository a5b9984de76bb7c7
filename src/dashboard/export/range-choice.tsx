// The range of an export: a preset, or whole days by the clock that the page shows, which is named
// beside each. The ends that follow are printed below.

import { exportWords as t } from "../language/en/export.ts";
import { clockName, dayEnd, dayStart, printDay, printMoment } from "../parts/moments.ts";
import type { PageProps } from "../parts/page.tsx";
import { useNow } from "../store/use-store.ts";
import { CHOICE, type ChosenRange, type ExportChoice, isBackwards, RANGES } from "./choice.ts";

interface RangeChoiceProps {
  readonly choice: ExportChoice;
  readonly range: ChosenRange;
  readonly change: PageProps<typeof CHOICE>["change"];
}

export function RangeChoice({ choice, range, change }: RangeChoiceProps) {
  const now_ms = useNow();
  const choose = (value: string) => {
    const chosen = CHOICE.range.read(value) ?? choice.range;
    const today = printDay(now_ms);
    const dates = { from: choice.from ?? dayStart(today), to: choice.to ?? dayEnd(today) };
    change(chosen === "dates" ? { range: chosen, ...dates } : { range: chosen }, "none");
  };
  return (
    <>
      <div class="choices">
        <label>
          <span>{t("range")}</span>
          <select value={choice.range} onChange={({ currentTarget: { value } }) => choose(value)}>
            {RANGES.map((name) => (
              <option key={name} value={name}>
                {t(name)}
              </option>
            ))}
          </select>
        </label>
        {choice.range === "dates" && (
          <>
            <DayInput
              label={t("first_day", { clock: clockName() })}
              at_ms={choice.from}
              choose={(day) => change({ from: dayStart(day) }, "none")}
            />
            <DayInput
              label={t("last_day", { clock: clockName() })}
              at_ms={choice.to}
              choose={(day) => change({ to: dayEnd(day) }, "none")}
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

interface DayInputProps {
  readonly label: string;
  readonly at_ms: number | null;
  readonly choose: (day: string) => void;
}

/** A calendar; in a browser without one a field for `2026-05-01`. */
function DayInput({ label, at_ms, choose }: DayInputProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="date"
        value={at_ms === null ? "" : printDay(at_ms)}
        pattern="\d{4}-\d\d-\d\d"
        placeholder="2026-05-01"
        onChange={({ currentTarget: { value } }) => {
          if (dayStart(value) !== null) choose(value);
        }}
      />
    </label>
  );
}

function rangeText(range: ChosenRange, now_ms: number): string {
  const { from_ms, to_ms } = range;
  if (isBackwards(range)) return t("backwards");
  if (from_ms === null) return "";
  const from = printMoment(from_ms, now_ms);
  if (to_ms === null) return t("since", { moment: from });
  return t("from_to", { from, to: printMoment(to_ms, now_ms) });
}
