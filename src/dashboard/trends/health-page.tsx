// The page Health: the score and its parts over time, with the fields that they are computed from,
// as curves and as lines. Its script is loaded when it is first opened.

import "./health-page.css";
import { useState } from "preact/hooks";
import { AXES, AxisChoice } from "../chart/axis-choice.tsx";
import { BucketReadings } from "../chart/bucket-readings.tsx";
import { useHours } from "../chart/use-hours.ts";
import { chartWords, healthWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { Evident } from "../parts/evidence.tsx";
import { clockName, printDay, printMoment } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { wordParameter } from "../parts/view-parameters.ts";
import { useAnswer, useNow, useSnapshot } from "../store/use-store.ts";
import { type HealthLine, readHealthMeans, readHealthRecords } from "./health-answers.ts";
import { HealthCharts, PARTS, stretchOf } from "./health-charts.tsx";

const STEPS = ["quarter", "hour", "day"] as const;
const VIEW = {
  step: wordParameter(STEPS, "day"),
  axis: wordParameter(AXES, "calendar"),
  tables: wordParameter(["off", "on"], "off"),
};

export const healthPage = page(VIEW, Health);

const PATHS = {
  quarter: "/api/health?limit=96",
  hour: "/api/health/aggregated?interval=hour&limit=96",
  day: "/api/health/aggregated?interval=day&limit=96",
} as const;

const WIDTH_MS = { quarter: 900_000, hour: 3_600_000, day: 86_400_000 } as const;

function Health({ view, change }: PageProps<typeof VIEW>) {
  const read = view.step === "quarter" ? readHealthRecords : readHealthMeans;
  const scores = useAnswer(PATHS[view.step], read, ["health"]);
  return (
    <Panel name="health" title={t("title")} part={scores}>
      {(lines) => (
        <>
          <p class="quiet">{t("about")}</p>
          <div class="health-tools">
            <ChoiceInput
              label={t("step")}
              chosen={view.step}
              choices={STEPS.map((step) => [step, t(step)] as const)}
              choose={(step) => change({ step })}
            />
            <AxisChoice axis={view.axis} choose={(axis) => change({ axis })} />
            <label class="tick">
              <input
                type="checkbox"
                checked={view.tables === "on"}
                onChange={({ currentTarget }) =>
                  change({ tables: currentTarget.checked ? "on" : "off" })
                }
              />{" "}
              {t("tables")}
            </label>
          </div>
          {lines.length === 0 && <p>{t("none")}</p>}
          {lines.length > 0 && (
            <ChartsOnAxis
              {...{ lines, axis: view.axis, width_ms: WIDTH_MS[view.step] }}
              hasTables={view.tables === "on"}
            />
          )}
          <h3>{t("lines")}</h3>
          <Lines lines={lines} width_ms={WIDTH_MS[view.step]} />
        </>
      )}
    </Panel>
  );
}

interface ChartsOnAxisProps extends LinesProps {
  readonly axis: (typeof AXES)[number];
  readonly hasTables: boolean;
}

function ChartsOnAxis({ axis, ...rest }: ChartsOnAxisProps) {
  const limits = useSnapshot().readiness.known?.value.limits ?? null;
  const isFolded = axis === "hours";
  const stretch = isFolded ? stretchOf(rest.lines, rest.width_ms) : null;
  const { known, problem } = useHours(stretch, limits?.flow_max_imo ?? null);
  if (!isFolded) return <HealthCharts key={axis} {...rest} hours={null} />;
  const hours = known?.value ?? null;
  return (
    <>
      <ProblemBanner problem={problem} />
      {hours === null && problem === null && <p class="quiet">{chartWords("reading_hours")}</p>}
      {hours?.starts_ms.length === 0 && <p>{chartWords("no_hours")}</p>}
      {hours !== null && hours.starts_ms.length > 0 && (
        <HealthCharts key={axis} {...rest} hours={hours} />
      )}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly HealthLine[];
  /** Length of time that a line covers, in ms. */
  readonly width_ms: number;
}

/** Number of lines shown at first; on a telephone each takes 200 px. */
const LINES_FIRST = 7;

function Lines({ lines, width_ms }: LinesProps) {
  const now_ms = useNow();
  const [isWhole, showAll] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, LINES_FIRST);
  return (
    <>
      <ol class="health-lines">
        {shown.map((line) => (
          <Line key={line.at_ms} {...{ line, width_ms, now_ms }} />
        ))}
      </ol>
      {shown.length < lines.length && (
        <button type="button" onClick={() => showAll(true)}>
          {t("all_lines", { n: lines.length })}
        </button>
      )}
    </>
  );
}

interface LineProps {
  readonly line: HealthLine;
  readonly width_ms: number;
  readonly now_ms: number;
}

function Line({ line, width_ms, now_ms }: LineProps) {
  const scores = [
    [t("overall"), line.overall_score],
    ...PARTS.map((name) => [t(name), line[name]] as const),
  ] as const;
  return (
    <li>
      <b>
        {/* Days are UTC days, whatever clock is shown. */}
        {width_ms === WIDTH_MS.day
          ? `${printDay(line.at_ms, "utc")}\u00a0${clockName("utc")}`
          : printMoment(line.at_ms, now_ms)}
      </b>
      <dl>
        {scores.map(([name, score]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Evident
                name={name}
                at_ms={score === null ? null : line.at_ms}
                of={<BucketReadings name={name} from_ms={line.at_ms} length_ms={width_ms} />}
              >
                {printNumber(score)}
              </Evident>
            </dd>
            <Bar percent={score} />
          </div>
        ))}
      </dl>
    </li>
  );
}
