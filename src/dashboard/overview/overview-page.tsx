// The overview, an instrument on one screen: the sentence, the operation, UV and its curve, tapes,
// lamps, the last operations, health, ages. All present values are in one answer, either for now
// or, with `at`, for a moment of the past, which is marked so that it can't be mistaken for the
// present.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { overviewWords as t } from "../lang/words.ts";
import { printAge } from "../parts/moments.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded, Panel } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { instantParameter } from "../parts/view.ts";
import { type PagePart, UNKNOWN } from "../store/ask.ts";
import type { Valid } from "../store/checks.ts";
import { isOldReading, readingAge, readingTimes } from "../store/data-age.ts";
import { readOverview } from "../store/overview-answer.ts";
import type { ReadingTimes, ShownOverview } from "../store/overview-shapes.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { OPERATIONS_POLL_MS, useAnswer, useNow, useSnapshot } from "../store/use-store.ts";
import "./overview.css";
import "./tiles.css";
import "./screens.css";
import "./lamps.css";
import { type Curves, useCurves } from "./curves.ts";
import { Diamond } from "./diamond.tsx";
import { Ages } from "./figures.tsx";
import { Health } from "./health-tile.tsx";
import { PastBanner, TimeMachine } from "./machine.tsx";
import { AlertsThen, Measures, PresentOperation } from "./plant.tsx";
import { OperationStrip, readStrip, STRIP_PATH, stripWords } from "./strip.tsx";
import { UvIntensity } from "./uv-tile.tsx";
import { shownNow, Verdict } from "./verdict.tsx";

const parameters = { at: instantParameter() };

export const overviewPage = page(parameters, Overview);

function Overview({ view, change }: PageProps<typeof parameters>) {
  const snapshot = useSnapshot();
  const now_ms = useNow();
  const at_ms = view.at;
  const show = (at: number | null) => change({ at });
  return (
    <div class={at_ms === null ? "overview" : "overview past"}>
      {at_ms === null ? (
        <Pieces part={snapshot.overview} snapshot={snapshot} at_ms={null} now_ms={now_ms} />
      ) : (
        <>
          <PastBanner at_ms={at_ms} now_ms={now_ms} show={show} />
          {at_ms <= now_ms && (
            <Past key={at_ms} at_ms={at_ms} now_ms={now_ms} snapshot={snapshot} />
          )}
        </>
      )}
      <Guarded>
        <TimeMachine at_ms={at_ms} now_ms={now_ms} show={show} />
      </Guarded>
    </div>
  );
}

interface PiecesProps {
  readonly part: PagePart<ShownOverview>;
  readonly snapshot: Snapshot;
  readonly at_ms: number | null;
  readonly now_ms: number;
}

function Past({ at_ms, ...rest }: Omit<PiecesProps, "part"> & { readonly at_ms: number }) {
  const part = useAnswer(`/api/overview?at=${new Date(at_ms).toISOString()}`, readOverview);
  return <Pieces part={part} at_ms={at_ms} {...rest} />;
}

function Pieces(props: PiecesProps) {
  const isPainted = isVerdictPainted(props.snapshot);
  const curves = useCurves(isPainted ? (props.part.known?.value ?? null) : null, props.at_ms);
  return (
    <>
      <LightPieces {...props} curves={curves} />
      <PlantPieces {...props} curves={curves} />
      <OtherPieces {...props} />
    </>
  );
}

/**
 * True once the verdict is painted: alerts are requested after it, and the rest of the page waits
 * for them.
 */
function isVerdictPainted({ alarms }: Snapshot): boolean {
  return alarms.known !== null || alarms.problem !== null;
}

interface DrawnProps extends PiecesProps {
  readonly curves: Curves | null;
}

/** The verdict, the UV intensity, and the operation, in this order on a telephone. */
export function LightPieces({ part, snapshot, at_ms, now_ms, curves }: DrawnProps) {
  const piece = <T,>(pick: (overview: ShownOverview) => Valid<T> | null) => pieceOf(part, pick);
  const reading = useReading(part);
  const aged = { reading, then_ms: at_ms ?? now_ms };
  const toLimit = piece((overview) => overview.toLimit);
  const verdict = piece((overview) => overview.verdict);
  const isReached = at_ms !== null || snapshot.reached;
  const state = shownNow({ part: verdict, reading, at_ms, now_ms })?.state;
  const isHeld = isReached && state === "within_limit";
  const isAtRest = state === "not_treating" || state === "idle_silent";
  const told = { curves, isHeld, isAtRest, toLimit: toLimit.known?.value ?? null };
  return (
    <>
      {part.known === null && <ProblemBanner problem={part.problem} />}
      <Guarded>
        <Verdict
          part={part.known === null ? { ...UNKNOWN, problem: part.problem } : verdict}
          lamps={piece(({ lamps }) => lamps)}
          {...{ reading, at_ms, now_ms }}
          reached={isReached}
          ready={snapshot.readiness.known?.value ?? null}
        />
      </Guarded>
      <Panel
        name="intensity"
        title={t("intensity_title")}
        aside={curves === null ? null : t("last_hours", { n: hoursOf(curves) })}
        part={withProblem(
          piece(({ intensity }) => intensity),
          toLimit.problem,
        )}
      >
        {(shown) => (
          <Aged {...aged}>
            <UvIntensity shown={shown} {...told} />
          </Aged>
        )}
      </Panel>
      <Panel name="present" title={t("operation_title")} part={piece(({ operation }) => operation)}>
        {(operation) =>
          (operation === null && isUnread(part)) || (
            <PresentOperation
              {...{ operation, now_ms, at_ms: reading?.at_ms ?? null, isNow: at_ms === null }}
              toLimit={toLimit.known?.value ?? null}
            />
          )
        }
      </Panel>
    </>
  );
}

/** The tapes and the lamps. */
export function PlantPieces({ part, at_ms, now_ms, curves }: DrawnProps) {
  const piece = <T,>(pick: (overview: ShownOverview) => Valid<T> | null) => pieceOf(part, pick);
  const reading = useReading(part);
  const aged = { reading, then_ms: at_ms ?? now_ms };
  return (
    <>
      <Panel name="measures" title={t("measures_title")} part={piece(({ measures }) => measures)}>
        {(measures) => (
          <Aged {...aged}>
            <Measures measures={measures} curves={curves} />
          </Aged>
        )}
      </Panel>
      <Panel
        name="lamps"
        title={t("lamps_title")}
        aside={t("lamps_seen")}
        part={piece(({ lamps }) => lamps)}
      >
        {(shown) => (
          <Aged {...aged}>
            <Diamond shown={shown} />
          </Aged>
        )}
      </Panel>
    </>
  );
}

/**
 * The last operations, alerts of the past, health, ages: everything that doesn't change each
 * minute.
 */
function OtherPieces({ part, snapshot, at_ms, now_ms }: PiecesProps) {
  const piece = <T,>(pick: (overview: ShownOverview) => Valid<T> | null) => pieceOf(part, pick);
  const end = at_ms === null ? "" : `&endDate=${new Date(at_ms).toISOString()}`;
  const isPainted = isVerdictPainted(snapshot);
  const strip = useAnswer(
    isPainted ? `${STRIP_PATH}${end}` : null,
    readStrip,
    ["operation"],
    OPERATIONS_POLL_MS,
  );
  return (
    <>
      <Panel name="strip" title={t("strip_title")} aside={stripWords(strip)} part={strip}>
        {(operations) => <OperationStrip operations={operations} />}
      </Panel>
      {at_ms !== null && (
        <Panel name="alerts-then" title={t("alerts_then")} part={piece(({ alerts }) => alerts)}>
          {(alerts) =>
            (alerts.open === 0 && isUnread(part)) || <AlertsThen alerts={alerts} now_ms={now_ms} />
          }
        </Panel>
      )}
      <Panel
        name="health"
        title={t("health_title")}
        aside={t("health_about")}
        part={piece(({ health }) => health)}
      >
        {(health) =>
          (health === null && isUnread(part)) ||
          (isPainted && <Health health={health} now_ms={now_ms} />)
        }
      </Panel>
      <Panel name="ages" title={t("ages_title")} part={piece(({ ages }) => ages)}>
        {(shown) => (
          <Ages
            ages={shown}
            received_ms={snapshot.received_ms}
            readiness={snapshot.readiness.known?.value ?? null}
            isPast={at_ms !== null}
            reached={snapshot.reached}
            now_ms={now_ms}
          />
        )}
      </Panel>
    </>
  );
}

/** The text that nothing is known without a reading; false if there is one. */
function isUnread({ known }: PagePart<ShownOverview>) {
  const reading_ms = known?.value.ages?.value.reading_ms ?? null;
  return reading_ms === null && <p>{t("reason_unknown")}</p>;
}

/** Adds the problem of a panel's second piece, unless the first has one. */
function withProblem<T>(part: PagePart<T>, problem: PagePart<T>["problem"]): PagePart<T> {
  return part.problem === null ? { ...part, problem } : part;
}

interface AgedProps {
  readonly reading: ReadingTimes | null;
  readonly then_ms: number;
  readonly children: ComponentChildren;
}

/** Marks the content with its age if the reading is old, so that it isn't taken for the present. */
function Aged({ reading, then_ms, children }: AgedProps) {
  if (reading === null || !isOldReading(reading, then_ms)) return <>{children}</>;
  return (
    <div class="old">
      <p class="old-tag">{t("last_value", { age: printAge(readingAge(reading, then_ms)) })}</p>
      {children}
    </div>
  );
}

/** A piece of the answer as a part of its own: an invalid piece is reported only in its panel. */
function pieceOf<T>(
  { known, problem }: PagePart<ShownOverview>,
  pick: (overview: ShownOverview) => Valid<T> | null,
): PagePart<T> {
  if (known === null) return UNKNOWN;
  const piece = pick(known.value);
  const odd = { kind: "odd", path: "/api/overview", status: null, message: null } as const;
  return { known: piece, problem: piece === null ? odd : problem };
}

function useReading({ known }: PagePart<ShownOverview>): ReadingTimes | null {
  const ages = known?.value.ages?.value ?? null;
  return useMemo(() => (ages === null ? null : readingTimes(ages)), [ages]);
}

const hoursOf = ({ from_ms, to_ms }: Curves) => Math.round((to_ms - from_ms) / 3_600_000);
