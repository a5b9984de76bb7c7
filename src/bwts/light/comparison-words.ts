// Words of the comparison of the light with another operation. Without zod: they are part of the
// page.

/**
 * Reasons why nothing can be compared. `no_other_operation`: no other operation was within limits,
 * and this one is too short to be compared with its start.
 */
export const NO_COMPARISON = [
  "no_reading",
  "too_few_readings",
  "no_other_operation",
  "no_readings_before",
] as const;

export const COMPARED_WITH = ["good_operation", "operation_start", "asked"] as const;
