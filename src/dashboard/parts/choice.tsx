// A list to choose from, with its name above it. Fields for days and times are in time-fields.tsx,
// which is loaded separately.

interface ChoiceInputProps<Value extends string> {
  readonly label: string;
  readonly chosen: string;
  /** Value and text of each choice. */
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
