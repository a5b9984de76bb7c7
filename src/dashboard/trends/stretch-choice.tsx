// The range of the curves: the newest operation, lengths up to the newest reading, or two days.
// Both ends are in the address, so that a copied one shows the same tomorrow, unless it says that
// new readings are followed.

import type { Stretch } from "../chart/level.ts";
import { trendsWords as t } from "../lang/words.ts";
import { DayInput } from "../parts/choice.tsx";
import { clockName, dayEnd, dayStart } from "../parts/moments.ts";
import { Popover } from "./popover.tsx";

const DAY_MS = 86_400_000;

const PRESETS = [
  { name: "day", length_ms: DAY_MS },
  { name: "week", length_ms: 7 * DAY_MS },
  { name: "month", length_ms: 30 * DAY_MS },
  { name: "year", length_ms: 365 * DAY_MS },
  { name: "two_years", length_ms: 731 * DAY_MS },
] as const;

/** Ends that differ by less, as a share of the length, are the same. */
const NEAR = 0.01;

export function upTo(at_ms: number, length_ms: number): Stretch {
  return { from_ms: at_ms - length_ms, to_ms: at_ms };
}

interface StretchChoiceProps {
  readonly stretch: Stretch;
  /** The end of what a preset shows: the newest reading. */
  readonly newest_ms: number;
  /** No range goes on beyond it. */
  readonly latest_ms: number;
  readonly operation: Stretch | null;
  /** True while the stretch goes on with new readings. */
  readonly isLive: boolean;
  readonly choose: (stretch: Stretch, history?: "none") => void;
  readonly follow: (stretch: Stretch) => void;
}

export function StretchChoice(props: StretchChoiceProps) {
  const { stretch, newest_ms, operation, isLive, choose, follow } = props;
  const preset = isLive ? follow : choose;
  const isOperation = !isLive && operation !== null && isNear(stretch, operation);
  const shown = isOperation
    ? undefined
    : PRESETS.find(({ length_ms }) => isNear(stretch, upTo(newest_ms, length_ms)));
  return (
    <fieldset class="segments" aria-label={t("range")}>
      {operation !== null && (
        <button type="button" aria-pressed={isOperation} onClick={() => choose(operation)}>
          {t("operation")}
        </button>
      )}
      {PRESETS.map(({ name, length_ms }) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === shown?.name}
          onClick={() => preset(upTo(newest_ms, length_ms))}
        >
          {t(name)}
        </button>
      ))}
      <Popover
        text={`${t("dates")} ▾`}
        isPressed={!isOperation && shown === undefined}
        side="right"
      >
        {() => <Dates {...props} />}
      </Popover>
    </fieldset>
  );
}

function isNear(one: Stretch, other: Stretch): boolean {
  const reach_ms = NEAR * (other.to_ms - other.from_ms);
  return (
    Math.abs(one.from_ms - other.from_ms) <= reach_ms &&
    Math.abs(one.to_ms - other.to_ms) <= reach_ms
  );
}

function Dates({ stretch, latest_ms, isLive, choose, follow }: StretchChoiceProps) {
  const typed = (at_ms: number | null, then: (at_ms: number) => Stretch) => {
    const chosen = at_ms === null ? stretch : then(at_ms);
    // A day that is typed is one after each key.
    if (chosen.from_ms < chosen.to_ms) choose(chosen, "none");
  };
  const clock = clockName();
  return (
    <div class="dates">
      <DayInput
        label={`${t("from")} (${clock})`}
        at_ms={stretch.from_ms}
        latest_ms={latest_ms}
        choose={(day) => typed(dayStart(day ?? ""), (at_ms) => ({ ...stretch, from_ms: at_ms }))}
      />
      <DayInput
        label={`${t("to")} (${clock})`}
        at_ms={stretch.to_ms}
        latest_ms={latest_ms}
        choose={(day) =>
          typed(dayEnd(day ?? ""), (at_ms) => ({ ...stretch, to_ms: Math.min(at_ms, latest_ms) }))
        }
      />
      <label class="tick">
        <input
          type="checkbox"
          checked={isLive}
          onChange={({ currentTarget: { checked } }) => (checked ? follow : choose)(stretch)}
        />{" "}
        {t("follow")}
      </label>
    </div>
  );
}
