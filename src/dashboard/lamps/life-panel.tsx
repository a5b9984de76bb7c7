// The life of the chosen lamp: its output over operating hours with the forecast to its end, its
// hours left, and on demand the values and the earlier lamps at its place. It can be compared with
// another lamp's.

import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { Panel } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { readEvents } from "../store/events.ts";
import { useAnswer } from "../store/use-store.ts";
import { type LampOutlook, readCurve, type ShownCurve } from "./lamp-answers.ts";
import type { ListedLamp } from "./lamp-state.tsx";
import { lampName, placeWords } from "./lamp-words.ts";
import { type DrawnLife, LifeChart } from "./life-chart.tsx";
import { efficiencyField } from "./life-evidence.tsx";
import { LifeFacts } from "./life-facts.tsx";
import { PastLives, PointTable } from "./life-tables.tsx";
import { ShowLink } from "./show-link.tsx";
import type { LampsView } from "./view.ts";

interface LifePanelProps {
  readonly chosen: ListedLamp;
  readonly view: LampsView;
  /** Number of the lamp to compare with; null for none. */
  readonly compared: number | null;
  readonly other: LampOutlook | null;
  readonly compare: (lamp: number | null) => void;
  readonly replace: () => void;
  readonly takeBack: (stated_ms: number) => void;
}

export function LifePanel(props: LifePanelProps) {
  const { chosen, view, compared, other, compare, replace, takeBack } = props;
  const { lamp, outlook } = chosen;
  const part = useAnswer(curvePath(lamp), readCurve, ["forecast"]);
  const otherPath = compared === null ? null : curvePath(compared);
  const otherPart = useAnswer(otherPath, readCurve, ["forecast"]);
  const known = otherPart.known?.value ?? null;
  // The curve of another lamp isn't used while the wanted one is loading.
  const otherCurve = known?.lamp === compared ? known : null;
  const began_ms = part.known?.value.lives[0]?.began_ms ?? null;
  const cleanings_ms = useCleanings(began_ms);
  const drawn = (curve: ShownCurve): readonly DrawnLife[] => [
    { lamp, life: curve.lives[0] ?? null, outlook },
    ...(otherCurve === null
      ? []
      : [{ lamp: otherCurve.lamp, life: otherCurve.lives[0] ?? null, outlook: other }]),
  ];
  return (
    <Panel
      name="life"
      title={
        <>
          {lampName(lamp)} <small>{placeWords(lamp)}</small>
        </>
      }
      part={part}
      aside={
        <button type="button" class="first" onClick={replace}>
          {t("replaced_begin", { lamp: lampName(lamp) })}
        </button>
      }
    >
      {(curve) => (
        <>
          <LifeFacts chosen={chosen} />
          {compared !== null && <ProblemBanner problem={otherPart.problem} />}
          <LifeChart curve={curve} drawn={drawn(curve)} cleanings_ms={cleanings_ms} />
          <p class="life-ways">
            <ChoiceInput
              label={t("compare")}
              chosen={compared === null ? "" : String(compared)}
              choices={[
                ["", t("nobody")],
                ...LAMP_NUMBERS.flatMap((_, position) =>
                  position + 1 === lamp
                    ? []
                    : [[String(position + 1), lampName(position + 1)] as const],
                ),
              ]}
              choose={(value) => compare(value === "" ? null : Number(value))}
            />{" "}
            <ShowLink view={view} what="values" text={t("table")} />
            <ShowLink view={view} what="earlier" text={t("past_lives")} />
            <a class="show-link" href={trendsOf(compared === null ? [lamp] : [lamp, compared])}>
              {t("in_trends")}
            </a>
          </p>
          {view.show === "values" && <PointTable drawn={drawn(curve)} />}
          {view.show === "earlier" && <PastLives {...{ curve, takeBack }} />}
        </>
      )}
    </Panel>
  );
}

/** Times of the cleanings since the lamp was fitted; none while they are loading. */
function useCleanings(began_ms: number | null): readonly number[] {
  const query = began_ms === null ? "" : new Date(began_ms).toISOString();
  const path = `/api/events?type=PROCESS_START&limit=5000&startDate=${query}`;
  const part = useAnswer(began_ms === null ? null : path, readEvents, ["event"]);
  const events = part.known?.value ?? [];
  return events
    .filter(({ operation_type }) => operation_type === "CIP")
    .map(({ at_ms }) => at_ms)
    .sort((one, other) => one - other);
}

/** The address of Trends with the output of some lamps over time. */
function trendsOf(lamps: readonly number[]): string {
  const fields = lamps.map(efficiencyField);
  return `#/trends?${new URLSearchParams({ fields: fields.join(",") })}`;
}

function curvePath(lamp: number): string {
  return `/api/lamps/${LAMP_NUMBERS[lamp - 1]}/curve`;
}
