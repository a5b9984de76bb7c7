// Limits of a report's texts and lists. The ship makes it by them, and the office cuts what it
// reads: what one ship says must not swell everybody's page.

const TEXT_MAX = 100;
const ALARMS_MAX = 200;

/** A text of a report, cut; null for what is none. */
export function reportText(value: unknown): string | null {
  return typeof value === "string" ? value.slice(0, TEXT_MAX).toWellFormed() : null;
}

/** Codes of open alerts, the first ones. */
export function reportAlarms(codes: readonly unknown[]): string[] {
  return codes.slice(0, ALARMS_MAX).flatMap((code) => reportText(code) ?? []);
}
