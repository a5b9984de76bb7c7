// The fields that several pages have: a choice of a list, and a day by the clock that the page
// shows.

import { useState } from "preact/hooks";
import { dayStart, printDay } from "./moments.ts";

interface ChoiceInputProps<Value extends string> {
  readonly label: string;
  readonly chosen: string;
  /** Value and text of each. */
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly choose: (value: Value) => void;
}

export function ChoiceInput<Value extends string>(props: ChoiceInputProps<Value>) {
  const { label, chosen, choices, choose } = props;
  return (
    <label>
      <span>{label}</span>{" "}
      <select
        value={chosen}
        onChange={({ currentTarget }) => {
          const choice = choices[currentTarget.selectedIndex];
          if (choice !== undefined) choose(choice[0]);
        }}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly at_ms: number | null;
  /** No later day can be chosen. */
  readonly latest_ms?: number;
  /** Null if the field was emptied. */
  readonly choose: (day: string | null) => void;
}

/** A typed day, and the one that was chosen then. */
interface TypedDay {
  readonly day: string;
  readonly beside: string;
}

/**
 * A calendar; in a browser without one a field for `2026-05-01`. No choice is what is no day, and
 * a day before 1970: on the way to 2026 the field has the years 0002, 0020 and 0202. The typed day
 * stays until the field is left, though the page is drawn again meanwhile, unless another day is
 * chosen elsewhere, as by the wheel. A field that was emptied key by key is so when it is left: a
 * browser doesn't tell its last key.
 */
export function DayInput({ label, at_ms, latest_ms, choose }: DayInputProps) {
  const [typed, setTyped] = useState<TypedDay | null>(null);
  const chosen = at_ms === null ? "" : printDay(at_ms);
  const isOfNow = typed !== null && [typed.day, typed.beside].includes(chosen);
  return (
    <label>
      <span>{label}</span>{" "}
      <input
        type="date"
        value={isOfNow ? typed.day : chosen}
        max={latest_ms === undefined ? undefined : printDay(latest_ms)}
        pattern="\d{4}-\d\d-\d\d"
        placeholder="2026-05-01"
        onInput={({ currentTarget: { value } }) => setTyped({ day: value, beside: chosen })}
        onBlur={({ currentTarget: { value, validity } }) => {
          setTyped(null);
          if (chosen !== "" && value === "" && !validity.badInput) choose(null);
        }}
        onChange={({ currentTarget: { value, validity } }) => {
          const isEmptied = value === "" && !validity.badInput;
          if (isEmptied || (dayStart(value) ?? -1) >= 0) choose(value || null);
        }}
      />
    </label>
  );
}
