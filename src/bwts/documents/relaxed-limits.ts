// Finds limits that were relaxed around an operation and set back. Like a void, that may improve a
// verdict, and whoever did it may change the configuration anyway. So the sheet reports it.

import type { LimitsFrom } from "../operations/judging.ts";
import type { Operation } from "../operations/operation.ts";
import { LIMIT_WORDS, printedUnit } from "../operations/operation-words.ts";
import { isJudged } from "./sheet-lines.ts";
import { amountOf } from "./sheet-words.ts";

/** The limits that decide a verdict, with their unit and mode, and whether each is a minimum. */
const DECIDING = [
  { key: "uv_imo", unit: "W/m2", mode: "IMO", isLeast: true },
  { key: "uv_uscg", unit: "W/m2", mode: "USCG", isLeast: true },
  { key: "flow_max_imo", unit: "m3/h", mode: "IMO", isLeast: false },
  { key: "flow_max_uscg", unit: "m3/h", mode: "USCG", isLeast: false },
] as const;

/** Texts such as "UV, IMO, at least 100 W/m²: relaxed from 252"; none if nothing was relaxed. */
export function relaxedLimits(
  { start, end, mode }: Pick<Operation, "start" | "end" | "mode">,
  history: readonly LimitsFrom[],
): readonly string[] {
  const [start_ms, end_ms] = [start, end ?? start].map((at) => Date.parse(at));
  return DECIDING.filter((one) => mode === null || mode === one.mode).flatMap(
    ({ key, unit, isLeast }) => {
      const values = history.map(({ limits }) => limits[key]);
      const isStricter = (one: number, than: number) => (isLeast ? one > than : one < than);
      const relaxed = history.flatMap(({ from_ms }, place) => {
        const until_ms = history[place + 1]?.from_ms ?? Number.POSITIVE_INFINITY;
        if (from_ms > end_ms || until_ms <= start_ms) return [];
        const is = values[place];
        const before = values.slice(0, place).findLast((value) => isStricter(value, is));
        const isBack = values.slice(place + 1).some((value) => isStricter(value, is));
        return before === undefined || !isBack ? [] : [{ is, before }];
      });
      return relaxed
        .slice(0, 1)
        .map(
          ({ is, before }) =>
            `${LIMIT_WORDS[`limits.${key}`]} ${amountOf(is)} ${printedUnit(unit)}: relaxed from ` +
            `${amountOf(before)}, and set back`,
        );
    },
  );
}

/** True if an operation's verdict rests on relaxed limits. */
export function isRelaxed(operation: Operation, relaxed: readonly string[]): boolean {
  return isJudged(operation) && relaxed.length > 0;
}
