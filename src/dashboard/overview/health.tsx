// The plant's health in the last scored slot: the score, its risk level, its components and the
// slot's time. Health is scored only while water is treated.

import { Bar } from "../parts/bar.tsx";
import { printAge, printMoment, printSpan } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { Health } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

const SLOT_MS = 15 * 60_000;

export function HealthCard({
  health,
  now_ms,
}: {
  health: PagePart<Health | null>;
  now_ms: number;
}) {
  const latest = health.known?.value ?? null;
  return (
    <section aria-labelledby="health" class="health">
      <h2 id="health">Health</h2>
      <ProblemBanner problem={health.problem} />
      {health.known !== null && latest === null && (
        <p>
          No score yet: health is scored for each quarter of an hour in which water was treated.
        </p>
      )}
      {latest !== null && <Scores health={latest} now_ms={now_ms} />}
    </section>
  );
}

function Scores({ health, now_ms }: { health: Health; now_ms: number }) {
  return (
    <>
      <p class="big" data-test="health">
        {printNumber(health.overall_score)}
        <small> of 100</small>
        <span class={`risk ${riskTone(health.risk_level)}`}>
          {health.risk_level ?? "unknown"} risk
        </span>
      </p>
      <p class="quiet">{printSlot(health.at_ms, now_ms)}</p>
      <dl class="components">
        {health.components.map(([name, score]) => (
          <div key={name}>
            <dt>{componentLabel(name)}</dt>
            <dd>{printNumber(score)}</dd>
            <Bar percent={score} mark={null} />
          </div>
        ))}
      </dl>
    </>
  );
}

/** A slot by its two ends; a record made elsewhere need not start on the quarter of an hour. */
function printSlot(at_ms: number, now_ms: number): string {
  if (at_ms % SLOT_MS !== 0) {
    return `At ${printMoment(at_ms, now_ms)}, ${printAge(Math.max(0, now_ms - at_ms))} ago`;
  }
  const end_ms = at_ms + SLOT_MS;
  const ago = printAge(Math.max(0, now_ms - end_ms));
  return `${printSpan(at_ms, end_ms, now_ms)}, ended ${ago} ago`;
}

/** `power_efficiency` is "Power efficiency"; `uv` is an abbreviation. */
function componentLabel(name: string): string {
  const words = name.replace(/_/g, " ").replace(/^uv\b/, "UV");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function riskTone(level: string | null): string {
  switch (level) {
    case "LOW":
      return "good";
    case "MEDIUM":
      return "warn";
    case "HIGH":
    case "CRITICAL":
      return "alarm";
    default:
      return "quiet";
  }
}
