// The operation on one sheet of A4 or Letter: verdict and reasons in words, the UV curve as vectors
// with its limits, the figures, the root of its readings, and its address as a QR code. It is
// invisible on the page from the start, because a browser draws nothing new once it prints.

import "./operation-sheet.css";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { tagNamed } from "../../bwts/tags.ts";
import { LimitChart } from "../chart/limit-chart.tsx";
import { joinedLines } from "../chart/points.ts";
import { useStates } from "../chart/states.ts";
import { usePoints } from "../chart/use-points.ts";
import { printLabel } from "../lang/fields.ts";
import { rulesWords } from "../lang/rules.ts";
import { partsWords, shellWords, operationsWords as t } from "../lang/words.ts";
import { AddressCode } from "../parts/address-code.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { beginningOf } from "../parts/long-text.tsx";
import { clockName, printDuration, printSecond } from "../parts/moments.ts";
import { MISSING, printMinimum, printWhole } from "../parts/numbers.ts";
import {
  notRecordedInWords,
  operationName,
  printSpan,
  VerdictSign,
  verdictWord,
} from "../parts/operation-words.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ViewOf } from "../parts/view.ts";
import type { KnownOperation, ShownReason } from "../store/operations.ts";
import { useNewestTime, useSnapshot } from "../store/use-store.ts";
import { leftOutInWords, useLeftOut } from "./left-out.ts";
import { limitsDrawn, shownRange } from "./operation-curves.tsx";
import { OperationVolume } from "./operation-facts.tsx";
import { ReasonLine } from "./reason-line.tsx";
import { addressIn, type OPERATIONS_VIEW } from "./view.ts";

interface OperationSheetProps {
  readonly operation: KnownOperation;
  readonly view: Partial<ViewOf<typeof OPERATIONS_VIEW>>;
  /** Called when nothing on the sheet is pending any more, even if an answer failed. */
  readonly onDrawn?: () => void;
}

/** The sheet on the page of one operation. */
export function LoneOperationSheet(props: OperationSheetProps) {
  useAloneOnPaper();
  return <OperationSheet {...props} />;
}

export function OperationSheet({ operation, view, onDrawn = () => {} }: OperationSheetProps) {
  const [waiting, setWaiting] = useState<readonly AskedPart[]>(["code", "curve"]);
  const drawn = (part: AskedPart) => setWaiting((all) => all.filter((one) => one !== part));
  useEffect(() => {
    if (waiting.length === 0) onDrawn();
  }, [waiting]);
  const { vessel, imo, system_id, simulated } = useSnapshot().readiness.known?.value ?? {};
  const ship = [vessel, imo && shellWords("imo", { number: imo }), system_id];
  const word = verdictWord(operation);
  const why = [
    notRecordedInWords(operation),
    ...operation.remarks.map((one) => rulesWords(one)),
  ].filter((one) => one !== null && one !== "");
  const { id } = operation;
  const url = new URL(addressIn({ ...view, id }), window.location.href).href;
  return (
    <article class="operation-sheet" aria-hidden="true">
      <div class="sheet-head">
        <AddressCode url={url} label={t("address_code")} onDrawn={() => drawn("code")} />
        <p>
          {ship.filter((one) => one).join(", ")}
          {simulated === true && <strong class="tag">{shellWords("simulated_about")}</strong>}
        </p>
        <p class="big">
          {t("one", { id: String(id) })}: {beginningOf(operationName(operation), NAME_MAX)}
        </p>
        <p class="big" data-test="sheet-verdict">
          <VerdictSign word={word} />
        </p>
        <p>{t(`why_${word}`)}</p>
        <MainReasons reasons={operation.reasons ?? []} verdict={operation.verdict} />
        {why.length > 0 && <p>{beginningOf(why.join("; "), WHY_MAX)}</p>}
      </div>
      <LightCurve operation={operation} onDrawn={() => drawn("curve")} />
      <Figures operation={operation} />
      <p class="quiet">{t("about")}</p>
      <p class="quiet address">{url}</p>
    </article>
  );
}

/**
 * Maximum number of reasons on the sheet, so that it stays one page; the operation's page has all.
 */
const REASONS_MAX = 3;

type ReasonsProps = Pick<KnownOperation, "verdict"> & { readonly reasons: readonly ShownReason[] };

/**
 * The main reasons: first the intervals that decided the verdict, then others, the longest first.
 */
function MainReasons({ reasons, verdict }: ReasonsProps) {
  const shown = reasons.filter((one) => !one.is_hidden);
  const restsOn = (one: ShownReason) => Number(one.verdict === verdict);
  shown.sort((one, other) => restsOn(other) - restsOn(one) || other.seconds - one.seconds);
  if (shown.length === 0) return null;
  const left = shown.length - REASONS_MAX;
  return (
    <ul class="sheet-reasons">
      {shown.slice(0, REASONS_MAX).map((one) => (
        <li key={`${one.rule} ${one.start_ms}`}>
          <ReasonLine reason={one} />
        </li>
      ))}
      {left > 0 && <li>{t("more_reasons", { n: left })}</li>}
    </ul>
  );
}

/** The parts of the sheet that need an answer from the server. */
type AskedPart = "code" | "curve";

const NAME_MAX = 60;
/**
 * Maximum length of a text, in characters, so that the sheet stays one page; longer ones are on the
 * operation's page.
 */
const WHY_MAX = 900;

/** Has only the sheet printed, without header, alerts and footer. */
function useAloneOnPaper() {
  useLayoutEffect(() => {
    document.body.classList.add("operation-alone");
    return () => document.body.classList.remove("operation-alone");
  }, []);
}

interface LightCurveProps {
  readonly operation: KnownOperation;
  readonly onDrawn: () => void;
}

function LightCurve({ operation, onDrawn }: LightCurveProps) {
  const newest_ms = useNewestTime() ?? operation.start_ms;
  const { from_ms, to_ms } = shownRange(operation, newest_ms);
  const stretch = useMemo(() => ({ from_ms, to_ms }), [from_ms, to_ms]);
  const { known, problem } = usePoints({ field: "UVR_INTENSITY", stretch, isFolded: false });
  const lines = useMemo(
    () => (known === null ? [] : joinedLines(known.value, stretch)),
    [known, stretch],
  );
  const leftOut = useLeftOut(operation, stretch);
  const states = useStates("PROCESS_STATE", stretch);
  const isWaiting = [{ known, problem }, states].some(
    (part) => part !== null && part.known === null && part.problem === null,
  );
  useEffect(() => {
    if (!isWaiting) onDrawn();
  }, [isWaiting]);
  const tag = tagNamed("UVR_INTENSITY");
  const limits = limitsDrawn(operation, tag, "limits.uv_").map((one) => ({
    ...one,
    ...(operation.mode === null ? {} : { beyond: "below" as const }),
  }));
  return (
    <>
      <h3>
        {printLabel(tag)}, W/m² <small>{clockName()}</small>
      </h3>
      <LimitChart
        {...{ lines, limits, from_ms, to_ms }}
        left_out={leftOut ?? []}
        label={printLabel(tag)}
      />
      {known === null && <ProblemBanner problem={problem} />}
      {lines.length > 0 && <p data-test="left-out">{leftOutInWords(leftOut, operation)}</p>}
    </>
  );
}

function Figures({ operation }: { readonly operation: KnownOperation }) {
  const { start_ms, end_ms, values, versions, version, readings_root, mode, limits_source } =
    operation;
  const [, light] = values?.find(([name]) => name === "UVR_INTENSITY") ?? [];
  const spread =
    light === undefined
      ? []
      : [printMinimum(light.min), printWhole(light.mean), printWhole(light.max)];
  const given = versions?.find((one) => one.version === version);
  const length_ms = end_ms === null ? -1 : end_ms - start_ms;
  return (
    <FactList
      facts={[
        [t("time"), printSpan(start_ms, end_ms, Number.NaN)],
        [t("duration"), length_ms < 0 ? null : printDuration(length_ms)],
        [t("volume"), <OperationVolume key="" operation={operation} />],
        [t("mode"), mode],
        [
          t("uv_minimum_mean_maximum"),
          spread.length === 0 ? null : `${spread.join(" / ")}\u00a0W/m²`,
        ],
        [printLabel(tagNamed("SYS_FLOW_RATE")), flowInWords(operation)],
        [t("limits"), limits_source === null ? null : t("limits_of", { source: limits_source })],
        [t("readings"), printWhole(operation.readings)],
        [t("readings_root"), readings_root],
        [
          t("versions"),
          given === undefined
            ? MISSING
            : `${t("version", {
                n: given.version,
                moment: printSecond(given.made_ms, Number.NaN),
                verdict: t(given.verdict ?? "unjudged"),
              })} ${t("ledger_number", { n: String(given.ledger_number) })}`,
        ],
      ]}
    />
  );
}

/** Minimum, mean and maximum flow while water was treated, and the limit of the mode. */
function flowInWords(operation: KnownOperation): string | null {
  const [, flow] = operation.values?.find(([name]) => name === "SYS_FLOW_RATE") ?? [];
  const limits = limitsDrawn(operation, tagNamed("SYS_FLOW_RATE"), "limits.flow_max_");
  const spread =
    flow === undefined
      ? null
      : [printMinimum(flow.min), printWhole(flow.mean), printWhole(flow.max)].join(" / ");
  const words = [
    ...(spread === null ? [] : [`${spread}\u00a0m³/h`]),
    ...limits.map(({ text }) => partsWords("limit", { limit: text })),
  ];
  return words.length === 0 ? null : words.join(", ");
}
