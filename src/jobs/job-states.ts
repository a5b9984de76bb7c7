// The register of the background jobs' states in this process; /readyz, /metrics, check and the
// alarm JOB_FAILING read it. The steady clock measures how long a job has failed; the time of its
// last success is for people, and by the box's clock.

import { SECOND_MS } from "../ground/clock.ts";

export interface JobState {
  readonly name: string;
  /** Consecutive failed runs. */
  readonly failures: number;
  /** Time since its first failure in a row; null while it doesn't fail. */
  readonly failing_ms: number | null;
  /** The reason why the last run failed; null if it didn't. */
  readonly problem: string | null;
  /** Time of the last success in this run of the program; null before the first. */
  readonly last_success_ms: number | null;
}

export interface JobStates {
  /** Notes a success; true if the job had failed before. */
  succeeded(name: string, at_ms: number): boolean;
  /** Notes a failure; true if the reason is new, so that the log gets a line. */
  failed(name: string, problem: string): boolean;
  /** The states of the jobs that have run, in the order of their first runs. */
  all(): readonly JobState[];
}

/** Time for which a job may fail before it is reported. */
const BORNE_MS = 15 * SECOND_MS;

/** The jobs that have failed for BORNE_MS or longer. */
export function failingJobs(states: JobStates): readonly (JobState & { problem: string })[] {
  return states
    .all()
    .flatMap((state) =>
      state.problem !== null && (state.failing_ms ?? 0) >= BORNE_MS
        ? [{ ...state, problem: state.problem }]
        : [],
    );
}

interface KnownState extends Omit<JobState, "name" | "failing_ms"> {
  readonly since_ms: number | null;
}

/** The register, empty; `steady_ms` is a clock that never goes back. */
export function openJobStates(steady_ms: () => number = () => performance.now()): JobStates {
  const known = new Map<string, KnownState>();
  return {
    succeeded(name, at_ms) {
      const before = known.get(name);
      known.set(name, { failures: 0, since_ms: null, problem: null, last_success_ms: at_ms });
      return (before?.problem ?? null) !== null;
    },
    failed(name, problem) {
      const before = known.get(name);
      known.set(name, {
        failures: (before?.failures ?? 0) + 1,
        since_ms: before?.since_ms ?? steady_ms(),
        problem,
        last_success_ms: before?.last_success_ms ?? null,
      });
      return before?.problem !== problem;
    },
    all: () =>
      [...known].map(([name, { since_ms, ...state }]) => ({
        name,
        ...state,
        failing_ms: since_ms === null ? null : steady_ms() - since_ms,
      })),
  };
}
