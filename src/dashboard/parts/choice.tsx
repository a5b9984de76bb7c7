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
  /** Null if the field was emptied. */
  readonly choose: (day: string | null) => void;
}

/**
 * A calendar; in a browser without one a field for `2026-05-01`. No choice is what is no day, and
 * a day before 1970: on the way to 2026 the field has the years 0002, 0020 and 0202. The typed day
 * stays until the field is left, though the page is drawn again meanwhile.
 */
export function DayInput({ label, at_ms, choose }: DayInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = at_ms === null ? "" : printDay(at_ms);
  return (
    <label>
      <span>{label}</span>{" "}
      <input
        type="date"
        value={typed ?? chosen}
        pattern="\d{4}-\d\d-\d\d"
        placeholder="2026-05-01"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => setTyped(null)}
        onChange={({ currentTarget: { value, validity } }) => {
          const isEmptied = value === "" && !validity.badInput;
          if (isEmptied || (dayStart(value) ?? -1) >= 0) choose(value || null);
        }}
      />
    </label>
  );
}
