// The page Health: the score and its parts over time, with the fields that they are scored from, as
// curves and as lines. Its script is loaded when it is opened first.

import "./health-page.css";
import { healthWords as t } from "../language/en/health.ts";
import { Bar } from "../parts/bar.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
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
          <Lines lines={lines} isDaily={view.step === "day"} />
        </>
      )}
    </Panel>
  );
}

function Lines({ lines, isDaily }: { lines: readonly HealthLine[]; isDaily: boolean }) {
  const now_ms = useNow();
  return (
    <ol class="health-lines">
      {lines.map((line) => (
        <li key={line.at_ms}>
          <b>
            {/* Days are those of UTC, whatever clock is shown. */}
            {isDaily
              ? `${printDay(line.at_ms, "utc")}\u00a0${clockName("utc")}`
              : printMoment(line.at_ms, now_ms)}
          </b>
          <dl>
            <Score name={t("overall")} score={line.overall_score} />
            {PARTS.map((name) => (
              <Score key={name} name={t(name)} score={line[name]} />
            ))}
          </dl>
        </li>
      ))}
    </ol>
  );
}

function Score({ name, score }: { name: string; score: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{printNumber(score)}</dd>
      <Bar percent={score} />
    </div>
  );
}
