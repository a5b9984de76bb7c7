// The limits of a field, as they are configured now. The area beyond a limit is tinted where the
// limit counts: for UV intensity and flow by the mode in force, if it is known.

import { useMemo } from "preact/hooks";
import type { ChartLimit } from "../chart/limit-chart.tsx";
import { trendsWords as t } from "../lang/words.ts";
import { printNumber } from "../parts/numbers.ts";
import type { Limits } from "../store/answers.ts";
import { useSnapshot } from "../store/use-store.ts";
import { fieldLabel, tagOf } from "./fields.ts";

export function useLimits(fields: readonly string[]): readonly ChartLimit[] {
  const { overview, readiness } = useSnapshot();
  const mode = overview.known?.value.intensity?.value.mode ?? null;
  const limits = readiness.known?.value.limits ?? null;
  const measures = overview.known?.value.measures ?? null;
  // The answers are new each second, but only changed limits cause a new drawing.
  const found = fields.flatMap((field) => {
    const others = measures?.value.find(({ name }) => name === field)?.limits ?? [];
    const own = limitsOf(field, limits, { mode, others });
    return fields.length === 1 ? own : own.map((one) => ({ ...one, text: named(field, one) }));
  });
  const key = JSON.stringify(found);
  return useMemo(() => found, [key]);
}

const named = (field: string, { text }: ChartLimit) => `${fieldLabel(tagOf(field))}: ${text}`;

interface LimitsInForce {
  readonly mode: string | null;
  /** Limits of a field other than UV, in the order in which a worsening value reaches them. */
  readonly others: readonly number[];
}

function limitsOf(field: string, limits: Limits | null, { mode, others }: LimitsInForce) {
  if (field === "UVR_INTENSITY")
    return (["IMO", "USCG"] as const).flatMap((name): readonly ChartLimit[] => {
      const value = limits?.[name === "IMO" ? "uv_imo" : "uv_uscg"] ?? null;
      if (value === null) return [];
      const text = `${name} ${printNumber(value)}`;
      return [mode === name ? { value, text, beyond: "below" } : { value, text }];
    });
  const last = others[others.length - 1];
  return others.map((value): ChartLimit => {
    const text = t("limit", { value: printNumber(value) });
    return value === last ? { value, text, beyond: "above" } : { value, text };
  });
}
