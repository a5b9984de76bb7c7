// The parts of an operation in which its UV limit doesn't count, because no water is treated: while
// the plant starts up, stops or rests. The UV there is in the curve and below the limit, so page
// and sheet explain these parts and shade them.

import { wordOf } from "../../bwts/plc-word.ts";
import type { Stretch } from "../chart/level.ts";
import { useStates } from "../chart/states.ts";
import { operationsWords as t } from "../lang/words.ts";
import { printSpan } from "../parts/operation-words.tsx";
import type { KnownOperation } from "../store/operations.ts";

const NAMES: Readonly<Record<string, "starting" | "stopping" | "resting">> = {
  WARMUP: "starting",
  STOPPING: "stopping",
  ...{ IDLE: "resting", STOPPED: "resting", STANDBY: "resting" },
};
/** Maximum number of parts that are listed with their times. */
const SPANS_MAX = 4;

export interface LeftOut extends Stretch {
  readonly name: "starting" | "stopping" | "resting";
}

/** The parts, ascending; null while the plant's states aren't known. */
export function useLeftOut(
  { start_ms, end_ms }: KnownOperation,
  stretch: Stretch,
): readonly LeftOut[] | null {
  const known = useStates("PROCESS_STATE", stretch)?.known?.value ?? null;
  if (known === null || !known.isWhole || known.spans.length === 0) return null;
  const last_ms = end_ms ?? stretch.to_ms;
  const within = known.spans.filter((one) => one.to_ms >= start_ms && one.from_ms < last_ms);
  return within.flatMap(({ value, from_ms, to_ms }, index) => {
    const name = NAMES[wordOf(value) ?? ""];
    if (name === undefined) return [];
    // The operation's own start and end: the first state is recorded a little after the start, the
    // last one a little before the end.
    const since_ms = index === 0 ? start_ms : from_ms;
    const isLast = index === within.length - 1 && end_ms !== null;
    const until_ms = isLast ? last_ms : Math.min(to_ms, last_ms);
    return until_ms > since_ms ? [{ name, from_ms: since_ms, to_ms: until_ms }] : [];
  });
}

export function leftOutInWords(all: readonly LeftOut[] | null, { start_ms }: KnownOperation) {
  if (all?.length === 0) return null;
  if (all === null || all.length > SPANS_MAX) return t("left_out_any");
  const spans = all.map(
    ({ name, from_ms, to_ms }) => `${t(name)} ${printSpan(from_ms, to_ms, start_ms)}`,
  );
  return t("left_out", { spans: spans.join("; ") });
}
