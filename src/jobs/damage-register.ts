// What of the stored data proved to be damaged, in one register in the process: readers, the writer
// and the nightly proof feed it, /readyz, /metrics, check and the alarm DATA_DAMAGED read it. Each
// problem is told in the log once, however often it is met.

import type { Log } from "../log.ts";

/** What is known of damage in this run of the program. */
export interface DamageState {
  /** Each names what is damaged and from when to when, in the order in which they were found. */
  readonly problems: readonly string[];
  /** When all sealed readings were proven last; null before the first time in this run. */
  readonly proven_ms: number | null;
}

export interface DamageRegister {
  note(problem: string): void;
  /** All sealed readings were looked at. */
  proven(at_ms: number): void;
  state(): DamageState;
}

/** More than this says nothing new: the file is damaged as a whole. */
const PROBLEMS_MAX = 1000;

export function openDamageRegister(log: Pick<Log, "error">): DamageRegister {
  const problems = new Set<string>();
  let proven_ms: number | null = null;
  return {
    note(problem) {
      if (problems.has(problem) || problems.size >= PROBLEMS_MAX) return;
      problems.add(problem);
      log.error("what is stored is damaged, see `ballastd check`", { problem });
    },
    proven(at_ms) {
      proven_ms = at_ms;
    },
    state: () => ({ problems: [...problems], proven_ms }),
  };
}
