// The text fields of the forms for notes and handovers, of one line or several. Every keystroke is
// kept with the draft. A text longer than ballastd stores is kept whole, and the field refuses it
// with its length: pasted text is never cut unnoticed.

import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { notesWords as t } from "../lang/words.ts";
import { printNumber } from "../parts/numbers.ts";

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly isNeeded: boolean;
  readonly type: (given: string) => void;
  readonly max: number;
  readonly isLong: boolean;
}

export function TextField({ label, value, max, isLong, isNeeded, type }: TextProps) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const problem = lengthProblem(value, max);
  useLayoutEffect(() => field.current?.setCustomValidity(problem));
  const given = {
    ...{ id, value, required: isNeeded, ref: field },
    ...(problem === "" ? {} : { "aria-describedby": `${id}-problem`, "aria-invalid": true }),
  };
  return (
    <>
      <label for={id} class={isLong ? "wide" : undefined}>
        <span>{label}</span>
        {isLong ? (
          <textarea
            {...given}
            rows={3}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        ) : (
          <input {...given} onInput={({ currentTarget }) => type(currentTarget.value)} />
        )}
      </label>
      {problem !== "" && (
        <p class="problem wide" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** The problem with a text's length, without the blanks around it; "" if it can be stored. */
function lengthProblem(value: string, max: number): string {
  const { length } = value.trim();
  if (length <= max) return "";
  const [n, most, over] = [length, max, length - max].map((one) => printNumber(one));
  return t("too_long", { n, max: most, over });
}
