// Choice of the range to compare with: the range before, the same half a year or a year ago, the
// last operation at the same port, or any other.

import type { Stretch } from "../chart/level.ts";
import { trendsWords as t } from "../lang/words.ts";
import { dayStart, printDay } from "../parts/moments.ts";
import { Popover } from "../parts/popover.tsx";
import { DayInput } from "../parts/time-fields.tsx";
import { readEvents, type ShownEvent } from "../store/events.ts";
import { useAnswer, useNow } from "../store/use-store.ts";

const DAY_MS = 86_400_000;
/** Half a year in whole weeks. */
const HALF_YEAR_MS = 26 * 7 * DAY_MS;

interface CompareChoiceProps {
  readonly stretch: Stretch;
  /** The newest operation; only for this one the last operation at its port is offered. */
  readonly operation: ShownEvent | null;
  /** Start of the range to compare with; null for none. */
  readonly beside_ms: number | null;
  readonly compare: (beside_ms: number | null) => void;
}

export function CompareChoice(props: CompareChoiceProps) {
  const { beside_ms } = props;
  const day = beside_ms === null ? null : printDay(beside_ms);
  return (
    <div class="compare">
      <Popover
        text={day === null ? `${t("compare")} ▾` : `${t("compare_own", { day })} ▾`}
        label={day === null ? undefined : `${t("compare")}: ${t("compare_own", { day })}`}
        isPressed={day !== null}
        side="right"
        isShort
      >
        {(close) => <Offers {...props} close={close} />}
      </Popover>
    </div>
  );
}

function Offers(props: CompareChoiceProps & { readonly close: () => void }) {
  const { stretch, operation, beside_ms, compare, close } = props;
  const { from_ms, to_ms } = stretch;
  const now_ms = useNow();
  const before = useLastAtPort(operation);
  const port = operation?.location ?? null;
  const offers = [
    { text: t("compare_none"), at_ms: null },
    { text: t("compare_before"), at_ms: from_ms - (to_ms - from_ms) },
    { text: t("compare_half_year"), at_ms: from_ms - HALF_YEAR_MS },
    { text: t("compare_year"), at_ms: from_ms - 365 * DAY_MS },
    ...(port === null || before === null || operation === null
      ? []
      : [{ text: t("compare_port", { port }), at_ms: from_ms - operation.at_ms + before.at_ms }]),
  ];
  return (
    <fieldset class="offers" aria-label={t("compare")}>
      {offers.map(({ text, at_ms }) => (
        <button
          type="button"
          key={text}
          aria-pressed={at_ms === beside_ms}
          onClick={() => {
            compare(at_ms);
            close();
          }}
        >
          {text}
        </button>
      ))}
      <DayInput
        label={t("compare_from")}
        at_ms={beside_ms}
        latest_ms={now_ms}
        choose={(typed) => compare(dayStart(typed ?? ""))}
      />
    </fieldset>
  );
}

/** The previous operation of the same type at the same place; null if none is known. */
function useLastAtPort(operation: ShownEvent | null): ShownEvent | null {
  const path = operation?.location == null ? null : "/api/events?limit=1000&type=PROCESS_START";
  const { known } = useAnswer(path, readEvents);
  const isSame = ({ at_ms, location, operation_type }: ShownEvent) =>
    operation !== null &&
    at_ms < operation.at_ms &&
    location === operation.location &&
    operation_type === operation.operation_type;
  // The answer is newest first.
  return known?.value.find(isSame) ?? null;
}
