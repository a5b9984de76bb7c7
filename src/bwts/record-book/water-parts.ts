// The parts of an operation that need an entry each: treated water, water treated outside of the
// limits, and water that bypassed the treatment are never in one entry. A stretch that the log
// can't tell splits nothing. Without zod: it is part of the page.

import type { Operation } from "../operations/operation.ts";

/** A part of an operation with one entry; without an end while the operation runs. */
export interface WaterPart {
  readonly subject: "treated" | "outside" | "bypassed";
  readonly start: string;
  readonly end: string | null;
  /** Null where readings don't tell it all. */
  readonly volume_m3: number | null;
  /** True if the log can't tell for some of it. */
  readonly isUntold: boolean;
}

type JudgedPart = Operation["parts"][number];

/** In order of time; one part without any splitting. */
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
  // The whole operation is entered, also what lies before the first reading and after the last.
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
