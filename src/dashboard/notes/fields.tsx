// The fields of the forms for notes and handovers: a text of one line or several, and a moment in
// UTC. Each key that is pressed is kept with the draft.

interface NoteFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isNeeded: boolean;
  readonly type: (given: string) => void;
}

interface TextProps extends NoteFieldProps {
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

export function MomentField({ label, value, isNeeded, type }: NoteFieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="datetime-local"
        value={value}
        required={isNeeded}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}
