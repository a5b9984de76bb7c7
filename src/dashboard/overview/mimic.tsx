// A mimic of the plant: sea chest or tank, pump, filter, reactor with its bypass, valve, tank or
// overboard. Flow is drawn only if it is known and present; otherwise the pipes are empty and the
// sentence below gives the reason.

import { tagNamed } from "../../bwts/tags.ts";
import { panelWords as t } from "../lang/words.ts";
import { printAge } from "../parts/moments.ts";
import { printNumber, printUnit } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { isOldReading, readingAge, readingTimes } from "../store/data-age.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { useAnswer } from "../store/use-store.ts";
import { type PlantFacts, readPlantFacts, type WaterWay, waterWay } from "./plant-facts.ts";

interface MimicProps {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
}

export function Mimic({ snapshot, now_ms }: MimicProps) {
  const part = useAnswer("/api/overview", readPlantFacts, ["reading"]);
  const facts = part.known?.value ?? null;
  const ages = snapshot.overview.known?.value.ages?.value ?? null;
  const times = ages === null ? null : readingTimes(ages);
  const isNow = snapshot.reached && times !== null && !isOldReading(times, now_ms);
  const limits = snapshot.readiness.known?.value.limits ?? null;
  const way = facts === null || !isNow ? "unknown" : waterWay(facts, limits?.flow_max_imo ?? null);
  const old = times === null || isNow ? null : printAge(readingAge(times, now_ms));
  return (
    <section class="mimic-panel" aria-labelledby="mimic">
      <h2 id="mimic">{t("mimic")}</h2>
      <ProblemBanner problem={part.problem} />
      {facts !== null && <Drawing facts={facts} way={way} isNow={isNow} />}
      <p class="way" role="status" data-test="way" data-way={way}>
        {old === null ? t(`way_${way}`) : t("way_old", { age: old })}
      </p>
    </section>
  );
}

interface DrawingProps {
  readonly facts: PlantFacts;
  readonly way: WaterWay;
  readonly isNow: boolean;
}

/** Paths of the pipes by section; the last leads the filter's backflush to the sea. */
const PIPES = {
  common: "M130 170H410",
  reactor: "M410 170H610",
  bypass: "M410 170V60H610V170",
  outlet: "M610 170H690",
  backflush: "M310 215V300H130",
} as const;

function Drawing({ facts, way, isNow }: DrawingProps) {
  const { dp, flow, uv, valve, operation, isBackflushing } = facts;
  const isMoving = way === "reactor" || way === "bypass" || way === "somewhere";
  const flows = {
    common: isMoving,
    reactor: way === "reactor",
    bypass: way === "bypass",
    outlet: way === "reactor" || way === "bypass",
    backflush: isNow && isBackflushing === true,
  };
  const names = Object.keys(PIPES).filter((name): name is keyof typeof PIPES => name in PIPES);
  return (
    <svg class={isNow ? "mimic" : "mimic old"} viewBox="0 0 820 330" aria-hidden="true">
      {names.map((name) => (
        <path key={name} class={flows[name] ? "pipe flows" : "pipe"} d={PIPES[name]} />
      ))}
      {names.map((name) => flows[name] && <path key={name} class="way-mark" d={PIPES[name]} />)}
      <Box x={20} y={130} width={110} name={t(endsOf(operation)[0])} />
      <circle class={isMoving ? "part on" : "part"} cx={200} cy={170} r={30} />
      <path class="sign" d="M186 150L228 170L186 190" />
      <text x={200} y={222}>
        {t("pump")}
      </text>
      <text class="value" x={200} y={125}>
        {printed("SYS_FLOW_RATE", flow)}
      </text>
      <rect class="part" x={265} y={125} width={90} height={90} rx={8} />
      <path class="sign" d="M275 195L345 145M275 175L325 140M295 200L345 165" />
      <text x={372} y={238}>
        {t("filter")}
      </text>
      <text class="value" x={310} y={112}>
        {printed("FLT_DIFF_PRESSURE", dp)}
      </text>
      <Box x={20} y={275} width={110} name={t("sea")} />
      <text class={flows.backflush ? "value" : ""} x={225} y={290}>
        {t("backflush")}
      </text>
      <rect
        class={way === "reactor" ? "part on" : "part"}
        x={445}
        y={120}
        width={130}
        height={100}
        rx={8}
      />
      <text class="value" x={510} y={165}>
        {printed("UVR_INTENSITY", uv)}
      </text>
      <text x={510} y={195}>
        {t("reactor")}
      </text>
      <text x={510} y={46}>
        {t("bypass")}
      </text>
      <path class="part" d="M632 148L668 192V148L632 192z" />
      <text class="value" x={650} y={135}>
        {valve === null ? "—" : `${printNumber(valve)} %`}
      </text>
      <text x={650} y={222}>
        {t("valve")}
      </text>
      <Box x={690} y={130} width={115} name={t(endsOf(operation)[1])} />
    </svg>
  );
}

/** Source and destination of the water, by the operation that the controller reports. */
function endsOf(operation: string | null) {
  if (operation === "BALLAST") return ["sea_chest", "tank"] as const;
  if (operation === "DEBALLAST") return ["tank", "overboard"] as const;
  return ["not_known", "not_known"] as const;
}

function printed(name: Parameters<typeof tagNamed>[0], value: number | null): string {
  return value === null ? "—" : `${printNumber(value)} ${printUnit(tagNamed(name))}`;
}

function Box({ x, y, width, name }: { x: number; y: number; width: number; name: string }) {
  return (
    <>
      <rect class="part" x={x} y={y} width={width} height={y === 275 ? 50 : 80} rx={8} />
      <text x={x + width / 2} y={y + (y === 275 ? 31 : 46)}>
        {name}
      </text>
    </>
  );
}
