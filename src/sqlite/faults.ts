// Faults of our own that the writer's thread got around: each is told, and the thread goes on. The
// same again within a minute is only counted, for what fails may be tried every second.

import { messageOf } from "../errors.ts";
import { isDiskFault } from "./disk-fault.ts";

export interface Faults {
  /** `what` failed with `error`. */
  tell(what: string, error: unknown): void;
  /** As `tell`, unless it is the disk's: that passes, and is told by whoever has to wait for it. */
  tellOwn(what: string, error: unknown): void;
}

const AGAIN_MS = 60_000;
/** Different ones remembered; beyond that all are told. */
const KNOWN_MAX = 100;

/** `report` gets each fault, and how often it was met since it was told last. */
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
