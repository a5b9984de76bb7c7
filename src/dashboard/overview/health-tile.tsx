// The tile Health: the score and the four parts that it is made of, below all facts of the page. It
// links to the page Health.

import { overviewWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { printMoment } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { instant, isLike, listOf, numberOrNull, type Read } from "../store/checks.ts";
import type { ShownHealth } from "../store/overview-shapes.ts";
import { useAnswer } from "../store/use-store.ts";

const PARTS = [
  ["uv", "componentsUvHealth"],
  ["lamps", "componentsLampHealth"],
  ["power", "componentsPowerEfficiency"],
  ["thermal", "componentsThermalHealth"],
] as const;

/** Score below which a part is marked, the same as for the score itself. */
const LOW = 75;

interface HealthProps {
  readonly health: ShownHealth | null;
  readonly now_ms: number;
}

export function Health({ health, now_ms }: HealthProps) {
  const at_ms = health?.at_ms ?? null;
  // Requested for the score's own time, because a later score has other parts.
  const path =
    at_ms === null ? null : `/api/health?endDate=${new Date(at_ms).toISOString()}&limit=1`;
  const known = useAnswer(path, readParts).known?.value ?? null;
  const parts = known !== null && known.at_ms === at_ms ? known.parts : null;
  if (health === null) return <p class="quiet">{t("no_health")}</p>;
  return (
    <a
      href="#/health?step=quarter"
      class="health-link"
      title={t("health_at", { moment: printMoment(health.at_ms, now_ms) })}
    >
      <span class="score" data-test="health">
        {printNumber(health.score === null ? null : Math.round(health.score))}
        <small> {t("of_hundred")}</small>
      </span>
      {PARTS.map(([name], index) => {
        const value = parts?.[index] ?? null;
        return (
          <span key={name} class={value !== null && value < LOW ? "part low" : "part"}>
            <span>{t(`health_${name}`)}</span>
            <Bar percent={value} />
            <b>{printNumber(value === null ? null : Math.round(value))}</b>
          </span>
        );
      })}
    </a>
  );
}

interface HealthParts {
  readonly at_ms: number;
  readonly parts: readonly (number | null)[];
}

const readParts: Read<HealthParts | null> = (body) => {
  const known = listOf(body, (given) => {
    const at_ms = isLike<Record<string, unknown>>(given) ? instant(given.timestamp) : null;
    if (!isLike<Record<string, unknown>>(given) || at_ms === null) return null;
    return { at_ms, parts: PARTS.map(([, member]) => numberOrNull(given[member])) };
  });
  return known === null ? null : { value: known.value[0] ?? null };
};
