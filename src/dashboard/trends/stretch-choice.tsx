// The choice of the range: the newest operation, a length up to the newest reading, or two days.
// Both ends are in the address, so that a copied address shows the same range tomorrow, unless it
// says that new readings are followed.

import type { Stretch } from "../chart/level.ts";
import { trendsWords as t } from "../lang/words.ts";
import { clockName, printDay } from "../parts/moments.ts";
import { Popover } from "../parts/popover.tsx";
import { MomentInput } from "../parts/time-fields.tsx";

const DAY_MS = 86_400_000;

const PRESETS = [
  { name: "day", length_ms: DAY_MS },
  { name: "week", length_ms: 7 * DAY_MS },
  { name: "month", length_ms: 30 * DAY_MS },
  { name: "year", length_ms: 365 * DAY_MS },
  { name: "two_years", length_ms: 731 * DAY_MS },
] as const;

/** Maximum difference of two ends that count as equal, as a share of the length. */
const NEAR = 0.01;

export function upTo(at_ms: number, length_ms: number): Stretch {
  return { from_ms: at_ms - length_ms, to_ms: at_ms };
}

interface StretchChoiceProps {
  readonly stretch: Stretch;
  /** Time of the newest reading, at which presets end. */
  readonly newest_ms: number;
  /** Latest end of a range. */
  readonly latest_ms: number;
  readonly operation: Stretch | null;
  /** True while the stretch follows new readings. */
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
  const isOwn = !isOperation && shown === undefined;
  const days = [...new Set([stretch.from_ms, stretch.to_ms].map((at_ms) => printDay(at_ms)))];
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
        text={`${isOwn ? days.join(" – ") : t("dates")} ▾`}
        label={isOwn ? `${t("dates")}: ${days.join(" – ")}` : undefined}
        isPressed={isOwn}
        side="right"
        isShort
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
  const clock = clockName();
  const length_ms = stretch.to_ms - stretch.from_ms;
  /** Chooses a typed end. If it passes the other end, the range moves and keeps its length. */
  const typed = ({ from_ms, to_ms }: Partial<Stretch>) => {
    const chosen = { from_ms: from_ms ?? stretch.from_ms, to_ms: to_ms ?? stretch.to_ms };
    const end_ms = from_ms === undefined ? chosen.to_ms : from_ms + length_ms;
    choose(
      chosen.from_ms < chosen.to_ms ? chosen : upTo(Math.min(end_ms, latest_ms), length_ms),
      "none",
    );
  };
  return (
    <div class="form dates">
      <MomentInput
        label={`${t("from")} (${clock})`}
        at_ms={stretch.from_ms}
        latest_ms={latest_ms}
        day="start"
        choose={(from_ms) => from_ms !== null && typed({ from_ms })}
      />
      <MomentInput
        label={`${t("to")} (${clock})`}
        at_ms={stretch.to_ms}
        latest_ms={latest_ms}
        day="end"
        choose={(to_ms) => to_ms !== null && typed({ to_ms })}
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
