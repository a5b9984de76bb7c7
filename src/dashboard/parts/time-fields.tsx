// Fields for a day, a time of day or both, with 24 hours and by the clock that the page shows: a
// text that may be typed in several ways, and a calendar beside it. The browser's own fields use
// mm/dd/yyyy and AM or PM by the browser's language.

import "./time-fields.css";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { datesWords as t } from "../lang/words.ts";
import { Calendar } from "./calendar.tsx";
import { printDay, printMinute } from "./moments.ts";
import { Popover } from "./popover.tsx";
import {
  type TypedValue,
  typedDay,
  typedMinute,
  typedMoment,
  writtenMoment,
} from "./typed-time.ts";

interface TimeFieldProps<Value> {
  readonly label: string;
  readonly isNeeded?: boolean;
  /** Called with the chosen value; null if the field was emptied. */
  readonly choose: (value: Value | null) => void;
}

interface DatedProps<Value> extends TimeFieldProps<Value> {
  readonly at_ms: number | null;
  /** Latest value that can be chosen; nearly everywhere the present. */
  readonly latest_ms: number;
}

/** A day, as `2026-05-01`. */
export function DayInput({ at_ms, latest_ms, ...rest }: DatedProps<string>) {
  return (
    <TypedField
      {...rest}
      text={at_ms === null ? "" : printDay(at_ms)}
      whole={/^\d{4}-\d\d-\d\d$/}
      example="2026-05-01"
      read={(text) => typedDay(text, latest_ms)}
      calendar={{ latest_ms, textOf: (day) => day }}
    />
  );
}

interface MomentProps extends DatedProps<number> {
  /** Meaning of a day that is typed without a time; if absent, such a day is refused. */
  readonly day?: "start" | "end";
}

/** A day and a time, as `2026-05-01 14:30`. */
export function MomentInput({ at_ms, latest_ms, day, ...rest }: MomentProps) {
  const textOf = (chosen: string) => {
    const text = `${chosen} ${printMinute(at_ms ?? latest_ms)}`;
    // A time later today becomes the present.
    return "value" in typedMoment(text, { latest_ms }) ? text : writtenMoment(latest_ms);
  };
  return (
    <TypedField
      {...rest}
      text={at_ms === null ? "" : writtenMoment(at_ms)}
      whole={/^\d{4}-\d\d-\d\d \d\d:\d\d$/}
      example="2026-05-01 14:30"
      read={(text) => typedMoment(text, { latest_ms, ...(day === undefined ? {} : { day }) })}
      calendar={{ latest_ms, textOf }}
    />
  );
}

/** A time of day, as `14:30`. */
export function MinuteInput({ minute, ...rest }: TimeFieldProps<string> & { minute: string }) {
  return (
    <TypedField {...rest} text={minute} whole={/^\d\d:\d\d$/} example="14:30" read={typedMinute} />
  );
}

interface TypedFieldProps<Value> extends TimeFieldProps<Value> {
  /** Text of the chosen value, as the field writes it. */
  readonly text: string;
  /**
   * Form of a complete text, which is used at once; any other text is used when the field is left.
   */
  readonly whole: RegExp;
  readonly example: string;
  readonly read: (text: string) => TypedValue<Value>;
  readonly calendar?: {
    readonly latest_ms: number;
    /** Text for a day chosen in the calendar. */
    readonly textOf: (day: string) => string;
  };
}

/** A typed text, the field's text at that time, and the problem with it ("" for none). */
interface TypedText {
  readonly text: string;
  readonly beside: string;
  readonly problem: string;
}

/**
 * Keeps the typed text until it is used, even if the page is drawn again, unless another value is
 * chosen elsewhere. A form isn't sent while one of its fields has a problem.
 */
function TypedField<Value>(props: TypedFieldProps<Value>) {
  const { label, isNeeded, text, whole, example, read, choose, calendar } = props;
  const [typed, setTyped] = useState<TypedText | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const shown = typed !== null && [typed.text, typed.beside].includes(text) ? typed : null;
  const problem = shown?.problem ?? "";
  useLayoutEffect(() => field.current?.setCustomValidity(problem), [problem]);
  const take = (given: string) => {
    const found = given.trim() === "" ? { value: null } : read(given);
    const isOdd = "problem" in found;
    setTyped(isOdd ? { text: given, beside: text, problem: found.problem } : null);
    if (!isOdd) choose(found.value);
  };
  const onInput = (given: string) => {
    setTyped({ text: given, beside: text, problem: "" });
    const found = whole.test(given) ? read(given) : null;
    if (found !== null && "value" in found) choose(found.value);
  };
  return (
    <div class="time-field">
      <div class="time-entry">
        <label id={`${id}-label`}>
          <span>{label}</span>{" "}
          <input
            type="text"
            ref={field}
            class={calendar === undefined ? "" : "dated"}
            size={example.length}
            value={shown?.text ?? text}
            defaultValue={text}
            required={isNeeded}
            placeholder={example}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== ""}
            aria-describedby={problem === "" ? undefined : `${id}-problem`}
            onInput={({ currentTarget: { value } }) => onInput(value)}
            onChange={({ currentTarget: { value } }) => take(value)}
          />
        </label>
        {calendar !== undefined && (
          <Popover
            text={<CalendarSign />}
            label={t("calendar")}
            describedBy={`${id}-label`}
            side="left"
          >
            {(close) => (
              <Calendar
                day={/^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null}
                latest_ms={calendar.latest_ms}
                choose={(day) => {
                  take(calendar.textOf(day));
                  close();
                }}
              />
            )}
          </Popover>
        )}
      </div>
      {problem !== "" && (
        <p class="problem" role="alert" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function CalendarSign() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6h16v14H4zM4 10.500h16M8.500 3.500v4M15.500 3.500v4" />
    </svg>
  );
}
