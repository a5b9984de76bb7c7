// The register of damaged data in this process: readers, the writer and the nightly proof add to
// it; /readyz, /metrics, check and the alarm DATA_DAMAGED read it. The log gets each problem once,
// however often it is met, until a proof no longer finds it because the data has expired or was
// made again.

import type { Log } from "../ground/log.ts";
import { isProvable } from "../sqlite/care/proving.ts";

/** The damage found in this run of the program. */
export interface DamageState {
  /** Texts that name the damaged data and its time, in the order of discovery. */
  readonly problems: readonly string[];
  /** Time of the last complete proof of sealed readings; null before the first in this run. */
  readonly proven_ms: number | null;
  /** True after a complete proof, also one without sealed readings. */
  readonly isChecked: boolean;
}

export interface DamageRegister {
  note(problem: string): void;
  /** Notes a complete proof of `segments` segments, with all problems; others no longer exist. */
  proven(at_ms: number, found: ReadonlySet<string>, segments: number): void;
  state(): DamageState;
}

/** Maximum number of problems: with more the file is damaged as a whole. */
const PROBLEMS_MAX = 1000;

export function openDamageRegister(log: Pick<Log, "error">): DamageRegister {
  const problems = new Set<string>();
  let proven_ms: number | null = null;
  let isChecked = false;
  const note = (problem: string) => {
    if (problems.has(problem) || problems.size >= PROBLEMS_MAX) return;
    problems.add(problem);
    log.error("stored data is damaged, see `ballastd check`", { problem });
  };
  return {
    note,
    proven(at_ms, found, segments) {
      isChecked = true;
      if (segments > 0) proven_ms = at_ms;
      const gone = [...problems].filter((problem) => isProvable(problem) && !found.has(problem));
      for (const problem of gone) problems.delete(problem);
      for (const problem of found) note(problem);
    },
    state: () => ({ problems: [...problems], proven_ms, isChecked }),
  };
}
