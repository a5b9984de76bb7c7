// The limits that a field is measured against, as they are configured now. The area beyond one is
// tinted where it counts: of the UV intensity and the flow by the mode in force, if that is known.

import { useMemo } from "preact/hooks";
import { trendsWords as t } from "../lang/words.ts";
import type { ChartLimit } from "../parts/limit-chart.tsx";
import { printNumber } from "../parts/numbers.ts";
import type { Limits } from "../store/answers.ts";
import { useSnapshot } from "../store/use-store.ts";
import { fieldLabel, tagOf } from "./fields.ts";

export function useLimits(fields: readonly string[]): readonly ChartLimit[] {
  const { overview, readiness } = useSnapshot();
  const mode = overview.known?.value.intensity?.value.mode ?? null;
  const limits = readiness.known?.value.limits ?? null;
  const measures = overview.known?.value.measures ?? null;
  // The answers come anew each second; the limits are drawn anew when they are others.
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
  /** Limits of another field, the first to be reached first. */
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
