// The states of a field as bands over time, each with its word: a state isn't a number, so no line
// joins two of them. Bands follow the stretch that all charts share. A band too narrow for its word
// can be read at the cursor, and in the table.

import { useState } from "preact/hooks";
import type { ChartAxis } from "../chart/axis.ts";
import { TablePages } from "../chart/curve-table.tsx";
import type { SharedView } from "../chart/shared-view.ts";
import { type StateSpan, useStates } from "../chart/states.ts";
import { useSharedView } from "../chart/use-shared-view.ts";
import { trendsWords as t } from "../lang/words.ts";
import { clockName, printClock, printDay, printSecond } from "../parts/moments.ts";
import { printValue } from "../parts/numbers.ts";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { fieldLabel, tagOf } from "./fields.ts";
import { useSurface } from "./lane.tsx";
import type { PlacedRange } from "./use-slots.ts";

interface StateChartProps extends PlacedRange {
  readonly field: string;
  readonly axis: ChartAxis;
  readonly shared: SharedView;
  readonly hasTable: boolean;
}

interface StateChartsProps extends Omit<StateChartProps, "field" | keyof PlacedRange> {
  readonly fields: readonly string[];
  /** The range, and the one to compare with if there is one. */
  readonly ranges: readonly PlacedRange[];
}

/** The bands of all fields for the range, and below them those for the range to compare with. */
export function StateCharts({ fields, ranges, ...props }: StateChartsProps) {
  return (
    <>
      {ranges.map((range) =>
        fields.map((field) => (
          <StateChart key={`${field} ${range.beside_ms}`} field={field} {...range} {...props} />
        )),
      )}
    </>
  );
}

function StateChart(props: StateChartProps) {
  const { field, beside_ms, stretch } = props;
  const part = useStates(field, stretch);
  const name = fieldLabel(tagOf(field));
  const label = beside_ms === null ? name : t("earlier", { field: name, day: printDay(beside_ms) });
  const known = part?.known?.value.field === field ? part.known.value : null;
  return (
    <section aria-label={label} data-test="state-chart">
      <h3>{label}</h3>
      <ProblemBanner problem={part?.problem ?? null} />
      <p class="quiet small" data-test="level">
        {part === null || known?.isWhole === false
          ? t("states_closer")
          : `${t("readings")} · ${clockName()}`}
      </p>
      {known?.spans.length === 0 && <p data-test="empty">{t("empty")}</p>}
      {known !== null && (
        <Guarded>
          <Bands {...props} spans={known.spans} label={label} />
        </Guarded>
      )}
    </section>
  );
}

interface BandsProps extends StateChartProps {
  readonly spans: readonly StateSpan[];
  readonly label: string;
}

const HEIGHT = 44;
/** Width of a letter, and of the space beside a word, in pixels. */
const LETTER = 8;
const AIR = 12;
const KINDS = 4;

function Bands({ field, spans, place, axis, shared, hasTable, label }: BandsProps) {
  useSharedView(shared);
  const [box, width] = useSurface(shared, axis);
  const { from, to } = shared.view();
  const cursor = shared.cursor();
  const placed = spans.flatMap((span) => {
    const start = place(span.from_ms);
    const end = place(span.to_ms) ?? start;
    return start === null || end === null || end < from || start > to
      ? []
      : [{ ...span, start, end, word: printValue(tagOf(field), span.value) }];
  });
  const words = [...new Set(spans.map(({ value }) => value))];
  const x = (at: number) => ((at - from) / (to - from)) * width;
  const under =
    cursor === null ? undefined : placed.find(({ start, end }) => start <= cursor && cursor < end);
  return (
    <>
      <p class="readout-state">
        {cursor !== null && `${printSecond(axis.instantAt(cursor), Number.NaN)} `}
        <b data-test="state-at-cursor">{under?.word ?? ""}</b>
      </p>
      <div class="states" ref={box} role="img" aria-label={label}>
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {placed.map(({ from_ms, start, end, value, word }) => {
            const left = Math.max(0, x(start));
            const room = Math.max(2, Math.min(width, x(end)) - left);
            return (
              <g key={from_ms} class={`state series-${(words.indexOf(value) % KINDS) + 1}`}>
                <rect x={left} width={room} height={HEIGHT} />
                {room > word.length * LETTER + AIR && (
                  <text x={left + AIR / 2} y={HEIGHT / 2 + 5}>
                    {word}
                  </text>
                )}
              </g>
            );
          })}
          {cursor !== null && <path class="at" d={`M${x(cursor)} 0V${HEIGHT}`} />}
        </svg>
      </div>
      {hasTable && <StateTable label={label} rows={placed} />}
    </>
  );
}

const PAGE_ROWS = 25;

interface StateTableProps {
  readonly label: string;
  readonly rows: readonly (StateSpan & { readonly word: string })[];
}

function StateTable({ label, rows }: StateTableProps) {
  const [wanted, setPage] = useState(0);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const page = Math.min(wanted, pages - 1);
  const moment = (at_ms: number) => `${printDay(at_ms)} ${printClock(at_ms)}`;
  return (
    <div class="curve-table">
      <table>
        <caption>
          {label}, {clockName()}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("from")}</th>
            <th scope="col">{t("to")}</th>
            <th scope="col">{t("state")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(({ from_ms, to_ms, word }) => (
            <tr key={from_ms}>
              <th scope="row">{moment(from_ms)}</th>
              <td>{moment(to_ms)}</td>
              <td>{word}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <TablePages page={page} pages={pages} setPage={setPage} />
    </div>
  );
}
