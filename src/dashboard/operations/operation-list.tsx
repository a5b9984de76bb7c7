// The list of operations, newest first and the running one on top, with its filters. The filters
// are in the address.

import { useState } from "preact/hooks";
import { partsWords, operationsWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { clockName, dayEnd, dayStart } from "../parts/moments.ts";
import { kindInWords } from "../parts/operation-words.tsx";
import type { PageProps } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { DayInput } from "../parts/time-fields.tsx";
import { type KnownOperation, readOperations } from "../store/operations.ts";
import { OPERATIONS_POLL_MS, useAnswer, useNow } from "../store/use-store.ts";
import { OperationListTable } from "./operation-table.tsx";
import {
  addressIn,
  LISTED_OPERATIONS,
  listPath,
  OPERATION_TYPES,
  type OPERATIONS_VIEW,
  VERDICT_CHOICES,
} from "./view.ts";

type OperationsProps = PageProps<typeof OPERATIONS_VIEW>;

export function OperationList({ view, change }: OperationsProps) {
  const now_ms = useNow();
  const path = listPath(view);
  const part = useAnswer(path, readOperations, ["event", "operation"], OPERATIONS_POLL_MS);
  // After a change of filters the earlier list isn't shown, since it would look like the new
  // result.
  const known = part.known?.path === path ? part.known.value : null;
  return (
    <section aria-labelledby="operations" class="operations">
      <h2 id="operations">{t("title")}</h2>
      <p class="quiet">{t("about")}</p>
      <Filters view={view} change={change} known={known ?? []} />
      <ProblemBanner problem={part.problem} />
      {known === null && part.problem === null && <p class="quiet">{partsWords("loading")}</p>}
      {known?.length === 0 && <p role="status">{t("none")}</p>}
      <Guarded>
        {known !== null && known.length > 0 && (
          <OperationListTable
            operations={known.slice(0, LISTED_OPERATIONS).sort(runningFirst)}
            now_ms={now_ms}
            addressOf={(id) => addressIn({ ...view, id })}
          />
        )}
      </Guarded>
      <Pages view={view} change={change} next={known?.[LISTED_OPERATIONS]} />
    </section>
  );
}

const runningFirst = (one: KnownOperation, other: KnownOperation) =>
  Number(other.end_ms === null) - Number(one.end_ms === null);

interface FiltersProps extends OperationsProps {
  readonly known: readonly KnownOperation[];
}

function Filters({ view, change, known }: FiltersProps) {
  const now_ms = useNow();
  const types: readonly string[] = OPERATION_TYPES;
  const others = view.type === null || types.includes(view.type) ? [] : [view.type];
  const choose = (days: Partial<typeof view>) => change({ ...days, before: null }, "none");
  return (
    <div class="form operation-filters">
      <ChoiceInput
        label={t("verdict")}
        chosen={view.verdict}
        choices={VERDICT_CHOICES.map((verdict) => [verdict, t(verdict)] as const)}
        choose={(verdict) => change({ verdict, before: null })}
      />
      <ChoiceInput
        label={t("type")}
        chosen={view.type ?? ""}
        choices={[
          ["", t("any")],
          ...[...types, ...others].map((type) => [type, kindInWords(type)] as const),
        ]}
        choose={(type) => change({ type: type || null, before: null })}
      />
      <PlaceInput
        place={view.place}
        places={known.map(({ location }) => location ?? "")}
        choose={(place) => change({ place, before: null })}
      />
      <DayInput
        label={t("first_day", { clock: clockName() })}
        at_ms={view.from}
        latest_ms={now_ms}
        choose={(day) => choose({ from: day === null ? null : dayStart(day) })}
      />
      <DayInput
        label={t("last_day", { clock: clockName() })}
        at_ms={view.to}
        latest_ms={now_ms}
        choose={(day) => choose({ to: day === null ? null : dayEnd(day) })}
      />
    </div>
  );
}

interface PlaceInputProps {
  readonly place: string | null;
  readonly places: readonly string[];
  readonly choose: (place: string | null) => void;
}

/** The filter for a place. It keeps the typed text, since the page is redrawn once a second. */
function PlaceInput({ place, places, choose }: PlaceInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label>
      <span>{t("place")}</span>{" "}
      <input
        value={typed ?? place ?? ""}
        list="places"
        maxLength={200}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={({ currentTarget: { value } }) => {
          setTyped(null);
          choose(value.trim() || null);
        }}
      />
      <datalist id="places">
        {[...new Set(places)].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}

interface PagesProps extends OperationsProps {
  /** The first operation of the next page; undefined on the last page. */
  readonly next: KnownOperation | undefined;
}

function Pages({ view, change, next }: PagesProps) {
  if (view.before === null && next === undefined) return null;
  return (
    <nav class="operation-pages" aria-label={t("title")}>
      {view.before !== null && (
        <button type="button" onClick={() => change({ before: null })}>
          {t("newest")}
        </button>
      )}{" "}
      {next !== undefined && (
        <button type="button" onClick={() => change({ before: next.start_ms })}>
          {t("older")}
        </button>
      )}
    </nav>
  );
}
