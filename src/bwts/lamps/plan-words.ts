// The words of the plan, and its limit, as answers and pages have them. Without zod: it is part of
// the page.

/**
 * Time to change a lamp. `now`: at the next call at the latest, because it failed or the plain rule
 * applies already; `next_call`: it will end before the call after the next.
 */
export const PLANNED = ["now", "next_call", "three_months", "later", "unknown"] as const;
export type Planned = (typeof PLANNED)[number];

/**
 * Reason to change it: it failed; its output is at or below the limit, it has its rated hours (the
 * plain rule); or its forecast.
 */
export const PLAN_REASONS = ["failed", "output", "rated_hours", "forecast"] as const;
export type PlanReason = (typeof PLAN_REASONS)[number];

/** Maximum number of spares: more than any ship carries. */
export const SPARES_MAX = 999;
