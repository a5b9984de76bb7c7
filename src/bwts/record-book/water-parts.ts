// The parts of an operation that need an entry each: treated water, water treated outside its
// limits, and water that bypassed the treatment never share an entry. A stretch that the log can't
// judge doesn't split a part. Without zod: it is part of the page.

import type { Operation } from "../operations/operation.ts";

/** A part of an operation that needs its own entry; `end` is null while the operation runs. */
export interface WaterPart {
  readonly subject: "treated" | "outside" | "bypassed";
  readonly start: string;
  readonly end: string | null;
  /** Volume of the part; null if readings don't show all of it. */
  readonly volume_m3: number | null;
  /** True if the log can't judge some of it. */
  readonly isUntold: boolean;
}

type JudgedPart = Operation["parts"][number];

/** The parts that need an entry each, in order of time; one if nothing is split. */
export function partsOfEntry(operation: Operation): readonly WaterPart[] {
  const groups: WaterPart[] = [];
  for (const part of operation.parts) {
    const [last, next] = [groups.at(-1), waterPart(part)];
    if (last?.subject === next.subject) groups[groups.length - 1] = joined(last, next);
    else groups.push(next);
  }
  const { start, end, volume_m3, verdict } = operation;
  const [first, last] = [groups[0], groups.at(-1)];
  if (first === undefined || last === undefined)
    return [{ subject: "treated", start, end, volume_m3, isUntold: verdict === "cannot_tell" }];
  // The whole operation is entered, including times before the first and after the last reading.
  if (groups.length === 1) return [{ ...first, start, end, volume_m3 }];
  return [{ ...first, start }, ...groups.slice(1, -1), { ...last, end }];
}

function waterPart({ part, start, end, volume_m3 }: JudgedPart): WaterPart {
  const isUntold = part === "cannot_tell";
  return { subject: SUBJECTS[part], start, end, volume_m3, isUntold };
}

const SUBJECTS = {
  within_limits: "treated",
  cannot_tell: "treated",
  outside_limits: "outside",
  bypassed: "bypassed",
} as const satisfies Readonly<Record<JudgedPart["part"], WaterPart["subject"]>>;

function joined(one: WaterPart, other: WaterPart): WaterPart {
  const isKnown = one.volume_m3 !== null && other.volume_m3 !== null;
  return {
    ...{ subject: one.subject, start: one.start, end: other.end },
    volume_m3: isKnown ? (one.volume_m3 ?? 0) + (other.volume_m3 ?? 0) : null,
    isUntold: one.isUntold || other.isUntold,
  };
}
