// The text fields of the forms for notes and handovers, of one line or several. Each key that is
// pressed is kept with the draft.

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly isNeeded: boolean;
  readonly type: (given: string) => void;
  readonly max: number;
  readonly isLong: boolean;
}

export function TextField({ label, value, max, isLong, isNeeded, type }: TextProps) {
  const given = { value, maxLength: max, required: isNeeded };
  return isLong ? (
    <label class="wide">
      <span>{label}</span>
      <textarea {...given} rows={3} onInput={({ currentTarget }) => type(currentTarget.value)} />
    </label>
  ) : (
    <label>
      <span>{label}</span>
      <input {...given} onInput={({ currentTarget }) => type(currentTarget.value)} />
    </label>
  );
}
