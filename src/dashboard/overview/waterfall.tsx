// The waterfall: from the UV intensity then to that of now, a bar for each cause and one for the
// rest, with the limit that applies. Each row is a separate drawing with positions in % of its
// width, so that it fits any width and prints as vectors; its text says the same.

import { whyWords as t } from "../lang/words.ts";
import type { ShownComparison, ShownRow } from "./why-answer.ts";
import { printChange, printLight, rowInWords } from "./why-words.ts";

/** Positions of the lowest and the highest level, in % of the width, which leaves room for text. */
const LOW_AT = 31;
const HIGH_AT = 84;
/**
 * Minimum span of the scale, as a share of the intensity, so that a small change doesn't fill the
 * width.
 */
const SPAN_MIN = 0.1;

/** Widths of a number and of words beside a bar, in % of the width on a telephone. */
const NUMBER_WIDE = 10;
const WORDS_WIDE = 26;

interface WaterfallProps {
  readonly comparison: ShownComparison;
  readonly now_w_m2: number;
  readonly before_w_m2: number;
}

export function Waterfall({ comparison, now_w_m2, before_w_m2 }: WaterfallProps) {
  const { rows, limit } = comparison;
  const steps = stepsOf(rows, before_w_m2);
  const limits = limit === null ? [] : [limit.w_m2];
  const levels = [now_w_m2, before_w_m2, ...limits, ...steps.map(({ to }) => to)];
  const at = scaleOf(levels);
  const limit_at = limit === null ? null : at(limit.w_m2);
  const worst = Math.min(...rows.map(({ w_m2 }) => w_m2 ?? 0));
  return (
    <div class="waterfall">
      <Levels limit_at={limit_at} then_at={at(before_w_m2)}>
        {t("then_level", { light: printLight(before_w_m2) })}
      </Levels>
      <ol>
        {steps.map(({ row, from, to }) => (
          <li
            key={row.cause}
            class={`${row.cause} ${row.w_m2 === worst && worst < 0 ? "worst" : ""}`}
          >
            <b>{t(row.cause)}</b>
            <span class="said">{rowInWords(row, comparison)}</span>
            <Step row={row} from={at(from)} to={at(to)} limit_at={limit_at} />
          </li>
        ))}
      </ol>
      <Ends
        now={{ at: at(now_w_m2), text: t("now_level", { light: printLight(now_w_m2) }) }}
        limit={
          limit === null
            ? null
            : {
                at: at(limit.w_m2),
                text: t("limit_level", { mode: limit.mode, light: printLight(limit.w_m2) }),
              }
        }
      />
    </div>
  );
}

/** The bars, each from the level before its row to the level after it. */
function stepsOf(rows: readonly ShownRow[], before_w_m2: number) {
  let level = before_w_m2;
  return rows.map((row) => {
    const from = level;
    level += row.w_m2 ?? 0;
    return { row, from, to: level };
  });
}

function scaleOf(levels: readonly number[]): (level: number) => number {
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  const span = Math.max(high - low, SPAN_MIN * Math.abs(high), 1);
  return (level) => LOW_AT + ((level - low) / span) * (HIGH_AT - LOW_AT);
}

interface StepProps {
  readonly row: ShownRow;
  readonly from: number;
  readonly to: number;
  readonly limit_at: number | null;
}

function Step({ row, from, to, limit_at }: StepProps) {
  const text = row.w_m2 === null ? t("cannot_tell") : printChange(row.w_m2);
  const label = row.w_m2 === null ? text : t("part", { part: text });
  const right = Math.max(from, to);
  // A number that the limit's line would cross is placed behind the line.
  const wide = row.w_m2 === null ? WORDS_WIDE : NUMBER_WIDE;
  const isOnLimit = limit_at !== null && limit_at >= right && limit_at < right + wide;
  return (
    <svg role="img" aria-label={label} width="100%" height="34">
      <LimitLine limit_at={limit_at} />
      <svg y="50%" overflow="visible" aria-hidden="true">
        {row.w_m2 !== null && (
          <rect
            class={row.w_m2 > 0 ? "step gained" : "step"}
            {...{ x: `${Math.min(from, to)}%`, y: "-10", rx: "3", height: "20" }}
            width={`${Math.max(0.3, Math.abs(to - from))}%`}
          />
        )}
        <text x={`${(isOnLimit ? limit_at : right) + 1}%`} y="5">
          {text}
        </text>
      </svg>
    </svg>
  );
}

const LimitLine = ({ limit_at }: { readonly limit_at: number | null }) =>
  limit_at === null ? null : (
    <line class="limit" x1={`${limit_at}%`} x2={`${limit_at}%`} y1="0" y2="100%" />
  );

interface LevelsProps {
  readonly limit_at: number | null;
  readonly then_at: number;
  readonly children: string;
}

/** The line above the rows: the UV intensity then. */
function Levels({ limit_at, then_at, children }: LevelsProps) {
  const isRight = then_at > 50;
  return (
    <div class="ends">
      <svg role="img" aria-label={children} width="100%" height="20">
        <LimitLine limit_at={limit_at} />
        <text
          {...{ x: `${then_at + (isRight ? 8 : 0)}%`, y: "14" }}
          text-anchor={isRight ? "end" : "start"}
        >
          {children}
        </text>
      </svg>
    </div>
  );
}

interface LevelText {
  readonly at: number;
  readonly text: string;
}

/** The line below the rows: the UV intensity now and the limit, on opposite sides. */
function Ends({ now, limit }: { readonly now: LevelText; readonly limit: LevelText | null }) {
  const isBelow = limit !== null && now.at < limit.at;
  const label = limit === null ? now.text : `${now.text}, ${limit.text}`;
  return (
    <div class="ends">
      <svg role="img" aria-label={label} width="100%" height="24">
        <LimitLine limit_at={limit?.at ?? null} />
        <text
          class={isBelow ? "now below" : "now"}
          {...{ x: `${now.at + (isBelow ? -0.5 : 0.5)}%`, y: "17" }}
          text-anchor={isBelow ? "end" : "start"}
        >
          {now.text}
        </text>
        {limit !== null && (
          <text
            class="limit-text"
            {...{ x: `${limit.at + (isBelow ? 0.5 : -0.5)}%`, y: "17" }}
            text-anchor={isBelow ? "start" : "end"}
          >
            {limit.text}
          </text>
        )}
      </svg>
    </div>
  );
}
