// Four hours of UV intensity with both limits; the area below the limit of the compliance mode is
// tinted.

import { LimitChart } from "../chart/limit-chart.tsx";
import { overviewWords as t } from "../lang/words.ts";
import { printNumber } from "../parts/numbers.ts";
import type { ShownIntensity } from "../store/overview-shapes.ts";
import type { Curves } from "./curves.ts";

interface UvChartProps {
  readonly curves: Curves | null;
  readonly shown: ShownIntensity;
}

export function UvChart({ curves, shown: { uv_imo, uv_uscg, mode } }: UvChartProps) {
  const limits = [
    ["IMO", uv_imo],
    ["USCG", uv_uscg],
  ] as const;
  return (
    <LimitChart
      lines={curves?.linesOf("UVR_INTENSITY") ?? []}
      from_ms={curves?.from_ms ?? 0}
      to_ms={curves?.to_ms ?? 1}
      hasTimes={curves !== null}
      limits={limits.map(([name, value]) => ({
        value,
        text: `${name} ${printNumber(value)}`,
        ...(name === mode ? { beyond: "below" as const } : {}),
      }))}
      label={t("uv_curve")}
    />
  );
}
