// The page Health: the score and its parts over time, with the fields that they are scored from, as
// curves and as lines. Its script is loaded when it is opened first.

import "./health-page.css";
import { BucketReadings } from "../chart/bucket-readings.tsx";
import { healthWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { Evident } from "../parts/evidence.tsx";
import { clockName, printDay, printMoment } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { wordParameter } from "../parts/view.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { type HealthLine, readHealthMeans, readHealthRecords } from "./health-answers.ts";
import { HealthCharts, PARTS } from "./health-charts.tsx";

const STEPS = ["quarter", "hour", "day"] as const;
const VIEW = {
  step: wordParameter(STEPS, "day"),
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
          <ChoiceInput
            label={t("step")}
            chosen={view.step}
            choices={STEPS.map((step) => [step, t(step)] as const)}
            choose={(step) => change({ step })}
          />
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
          {lines.length === 0 && <p>{t("none")}</p>}
          {lines.length > 0 && (
            <HealthCharts
              lines={lines}
              width_ms={WIDTH_MS[view.step]}
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

interface LinesProps {
  readonly lines: readonly HealthLine[];
  /** The time that a line stands for, ms. */
  readonly width_ms: number;
}

function Lines({ lines, width_ms }: LinesProps) {
  const now_ms = useNow();
  return (
    <ol class="health-lines">
      {lines.map((line) => (
        <Line key={line.at_ms} {...{ line, width_ms, now_ms }} />
      ))}
    </ol>
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
        {/* Days are those of UTC, whatever clock is shown. */}
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
