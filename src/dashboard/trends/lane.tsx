// The lane below the curves: operations as bars with their number, type, place and verdict, and
// below them alerts, cleanings and replaced lamps as marks with words. Marks close to each other
// are merged and show their number. The cursor shows all of it, too.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ChartAxis } from "../chart/axis.ts";
import type { AxisView, ChartMark, MarkKind } from "../chart/curve.ts";
import { listenToGestures } from "../chart/gestures.ts";
import { askedStretch, levelOf, type Stretch, written } from "../chart/level.ts";
import type { SharedView } from "../chart/shared-view.ts";
import { useSharedView } from "../chart/use-shared-view.ts";
import { chartWords, operationsWords, trendsWords as t } from "../lang/words.ts";
import { kindInWords, verdictWord } from "../parts/operation-words.tsx";
import { SIGNS, type SignWord } from "../parts/verdict-shapes.ts";
import { type KnownOperation, readOperations } from "../store/operations.ts";
import { OPERATIONS_POLL_MS, useAnswer } from "../store/use-store.ts";

interface LaneProps {
  readonly marks: readonly ChartMark[];
  readonly stretch: Stretch;
  readonly axis: ChartAxis;
  readonly shared: SharedView;
}

/**
 * Height of the bars, top of the words below them, and height of the lane, in pixels at the usual
 * size of text.
 */
const [BAR, WORDS, HEIGHT] = [22, 26, 48];
/** Usual width of a letter, and the space beside a bar's words, in pixels. */
const [LETTER, AIR] = [6.6, 10];
/** Distance in pixels below which marks are merged. */
const NEAR = 18;
/** Minimum number of letters of a cut text; a shorter one is useless. */
const LETTERS_MIN = 6;
/** Width of a verdict's sign in pixels. */
const SIGN = 18;
/** Longest range whose bars have words; for longer ones only the events are asked for. */
const JUDGED_MAX_MS = 62 * 86_400_000;

export function Lane({ marks, stretch, axis, shared }: LaneProps) {
  useSharedView(shared);
  const [box, width] = useSurface(shared, axis);
  const judged = useJudged(stretch);
  const view = shared.view();
  const x = (at: number) => ((at - view.from) / (view.to - view.from)) * width;
  const spanOf = ({ at_ms, end_ms }: ChartMark) => {
    const [from, to] = [axis.placeNear(at_ms), axis.placeNear(end_ms ?? at_ms)];
    return to < view.from || from > view.to ? null : { from, to };
  };
  const cursor = shared.cursor();
  const operations = marks.filter(({ kind }) => kind === "operation");
  const others = marks.filter(({ kind }) => kind !== "operation");
  const counts = { operations: operations.length, marks: others.length };
  return (
    <section class="lane" aria-label={t("lane", counts)}>
      <div class="lane-place" ref={box}>
        <svg width={width} height={HEIGHT} role="img" aria-label={t("lane", counts)}>
          {operations.map((mark) => {
            const span = spanOf(mark);
            if (span === null) return null;
            const left = Math.max(0, x(span.from));
            const room = Math.max(2, Math.min(width, x(span.to)) - left);
            const operation = judged.find(({ start_ms }) => start_ms === mark.at_ms) ?? null;
            return <OperationBar key={mark.at_ms} {...{ mark, operation, left, room }} />;
          })}
          {clustersOf(others, { axis, view, x }).map((cluster, index, all) => (
            <Mark
              key={`${cluster.kind} ${cluster.first.at_ms}`}
              cluster={cluster}
              room={(all[index + 1]?.at ?? width) - cluster.at}
            />
          ))}
          {cursor !== null && <path class="at" d={`M${x(cursor)} 0V${HEIGHT}`} />}
        </svg>
      </div>
    </section>
  );
}

interface OperationBarProps {
  readonly mark: ChartMark;
  /** The operation; null while its verdict isn't known. */
  readonly operation: KnownOperation | null;
  readonly left: number;
  readonly room: number;
}

function OperationBar({ mark, operation, left, room }: OperationBarProps) {
  const word: SignWord | null = operation === null ? null : verdictWord(operation);
  const name = operation === null ? mark.text : nameOf(operation);
  const cut = cutTo(name, room - SIGN - AIR);
  const said = word === null ? name : `${name}, ${operationsWords(word)}`;
  return (
    <g class={`operation ${word ?? ""}`}>
      <title>{said}</title>
      <rect x={left} width={room} height={BAR} rx="3" />
      {word !== null && room > SIGN && (
        <svg
          class="sign"
          x={left + 5}
          y="5"
          width="12"
          height="12"
          viewBox="0 0 24 24"
          aria-hidden="true"
        >
          <path d={SIGNS[word]} />
        </svg>
      )}
      {cut !== "" && (
        <text x={left + SIGN + 3} y={BAR - 7}>
          {cut}
        </text>
      )}
    </g>
  );
}

/** Text of a bar: `91 Uptake Shanghai`. */
function nameOf({ id, operation_type, location }: KnownOperation): string {
  return [String(id), kindInWords(operation_type), location ?? ""].join(" ").trim();
}

/** As much of a text as fits; empty if that would be too short to be useful. */
function cutTo(text: string, room: number): string {
  // Letters of East Asian scripts are about twice as wide.
  const wide = /[\u1100-\uffdc]/.test(text) ? 1.9 : 1;
  const letters = Math.floor(room / LETTER / wide);
  if (letters >= text.length) return text;
  return letters < LETTERS_MIN ? "" : `${text.slice(0, letters - 1).trim()}…`;
}

/** Merged marks at one place of the lane. */
interface MarkCluster {
  readonly at: number;
  readonly kind: MarkKind;
  readonly first: ChartMark;
  readonly size: number;
}

interface LanePlaces {
  readonly axis: ChartAxis;
  readonly view: AxisView;
  readonly x: (at: number) => number;
}

function clustersOf(
  marks: readonly ChartMark[],
  { axis, view, x }: LanePlaces,
): readonly MarkCluster[] {
  const clusters: MarkCluster[] = [];
  for (const first of marks) {
    const place = axis.placeNear(first.at_ms);
    if (place < view.from || place > view.to) continue;
    const at = x(place);
    const last = clusters[clusters.length - 1];
    if (last === undefined || at - last.at >= NEAR)
      clusters.push({ at, kind: first.kind, first, size: 1 });
    else {
      // An alert is shown before other marks, as the most important.
      const most = first.kind === "alert" ? first : last.first;
      clusters[clusters.length - 1] = {
        ...{ at: last.at, size: last.size + 1 },
        ...{ kind: most.kind, first: last.kind === "alert" ? last.first : most },
      };
    }
  }
  return clusters;
}

function Mark({ cluster, room }: { readonly cluster: MarkCluster; readonly room: number }) {
  const { at, kind, first, size } = cluster;
  const [alert, words] = [kind === "alert", markWords(first)];
  const said = size === 1 ? words : `${words} +${size - 1}`;
  return (
    <g class={`mark ${kind}`}>
      <title>{`${chartWords(kind)}: ${first.text}${size === 1 ? "" : ` +${size - 1}`}`}</title>
      {alert ? (
        <path class="shape" d={`M${at} ${WORDS}l6 11h-12z`} />
      ) : (
        <circle class="shape" cx={at} cy={WORDS + 6} r="5" />
      )}
      <text x={at + 10} y={WORDS + 11}>
        {cutTo(said, room - NEAR - AIR)}
      </text>
    </g>
  );
}

/** Words of a mark; an alert has its text, without the code before it. */
function markWords({ kind, text }: ChartMark): string {
  if (kind === "cleaning") return chartWords("cleaning");
  if (kind === "replacement") return `${text}: ${t("replaced")}`;
  return text.replace(/^[A-Z][A-Z0-9_]+: /, "");
}

/** The operations of the range with their verdicts; none for a range above JUDGED_MAX_MS. */
function useJudged(stretch: Stretch): readonly KnownOperation[] {
  const { from_ms, to_ms } = askedStretch(stretch, levelOf(stretch, false));
  const isShort = stretch.to_ms - stretch.from_ms <= JUDGED_MAX_MS;
  const range = `startDate=${written(from_ms)}&endDate=${written(to_ms)}`;
  const path = isShort ? `/api/operations?${range}&limit=200` : null;
  const { known } = useAnswer(path, readOperations, ["operation"], OPERATIONS_POLL_MS);
  return useMemo(() => known?.value ?? [], [known]);
}

/** Makes an element take gestures, and measures its width. */
export function useSurface(shared: SharedView, axis: ChartAxis) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    const stop = listenToGestures({ element, shared, shortest: () => axis.shortest });
    return () => {
      watcher.disconnect();
      stop();
    };
  }, [shared, axis]);
  return [box, width] as const;
}
