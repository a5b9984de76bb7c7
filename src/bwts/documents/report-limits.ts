// Limits of a report's texts and lists. The ship makes its report within them, and the office cuts
// what exceeds them: one ship's report must not swell everybody's page.

const TEXT_MAX = 100;
const ALARMS_MAX = 200;

/** A text of a report, cut to its limit; null for a value that isn't a text. */
export function reportText(value: unknown): string | null {
  return typeof value === "string" ? value.slice(0, TEXT_MAX).toWellFormed() : null;
}

/** Codes of open alerts, cut to the first ones. */
export function reportAlarms(codes: readonly unknown[]): string[] {
  return codes.slice(0, ALARMS_MAX).flatMap((code) => reportText(code) ?? []);
}
