// Faults of our own that the writer's thread survived. Each is reported; the same again within a
// minute is only counted, because a failing action may be tried every second.

import { messageOf } from "../../ground/errors.ts";
import { isDiskFault } from "./disk-fault.ts";

export interface Faults {
  /** Reports that the action `what` failed with `error`. */
  tell(what: string, error: unknown): void;
  /** As `tell`, but ignores disk faults: those pass, and the waiting caller reports them. */
  tellOwn(what: string, error: unknown): void;
}

const AGAIN_MS = 60_000;
/** Most different faults remembered; beyond that all are reported. */
const KNOWN_MAX = 100;

/** `report` gets each fault, and how often it occurred since the last report. */
export function openFaults(report: (problem: string, count: number) => void): Faults {
  const known = new Map<string, { told_ms: number; count: number }>();
  const tell = (what: string, error: unknown) => {
    const problem = `${what}: ${messageOf(error)}`;
    const now_ms = performance.now();
    const before = known.get(problem);
    const count = (before?.count ?? 0) + 1;
    if (before !== undefined && now_ms - before.told_ms < AGAIN_MS) {
      before.count = count;
      return;
    }
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(problem, { told_ms: now_ms, count: 0 });
    report(problem, count);
  };
  return {
    tell,
    tellOwn(what, error) {
      if (!isDiskFault(error)) tell(what, error);
    },
  };
}
