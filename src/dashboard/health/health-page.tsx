// The page Health: the score and its parts over time, as bars, and the fields that each part is
// made of, which Trends draws. Its script is loaded when it is opened first.

import "./health-page.css";
import { HEALTH_INPUTS } from "../../bwts/health-parts.ts";
import { healthWords as t } from "../language/en/health.ts";
import { Bar } from "../parts/bar.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { clockName, printDay, printMoment } from "../parts/moments.ts";
import { printLabel, printNumber, tagNamed } from "../parts/numbers.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { wordParameter } from "../parts/view.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import {
  type HealthLine,
  type PartName,
  readHealthMeans,
  readHealthRecords,
} from "./health-answers.ts";

const STEPS = ["quarter", "hour", "day"] as const;
const VIEW = { step: wordParameter(STEPS, "day") };

export const healthPage = page(VIEW, Health);

const PATHS = {
  quarter: "/api/health?limit=96",
  hour: "/api/health/aggregated?interval=hour&limit=96",
  day: "/api/health/aggregated?interval=day&limit=96",
} as const;

const PARTS: readonly PartName[] = [
  "uv_health",
  "lamp_health",
  "power_efficiency",
  "thermal_health",
];

function Health({ view, change }: PageProps<typeof VIEW>) {
  const read = view.step === "quarter" ? readHealthRecords : readHealthMeans;
  const scores = useAnswer(PATHS[view.step], read, ["health"]);
  return (
    <>
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
            {lines.length === 0 && <p>{t("none")}</p>}
            <Lines lines={lines} isDaily={view.step === "day"} />
          </>
        )}
      </Panel>
      <section aria-labelledby="inputs">
        <h2 id="inputs">{t("inputs")}</h2>
        <ul class="inputs">
          {PARTS.map((name) => (
            <li key={name}>
              {t(name)}:{" "}
              <a href={`#/trends?fields=${HEALTH_INPUTS[name].join(",")}`}>
                {HEALTH_INPUTS[name].map((field) => printLabel(tagNamed(field))).join(", ")}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </>
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
