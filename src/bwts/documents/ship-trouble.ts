// The troubles that a ship of a fleet may have, the worst first. They are apart from the schemas,
// because the fleet page uses them too, and pages include no schemas.

export const TROUBLES = [
  "fork",
  "alarms",
  "no_contact",
  "no_readings",
  "raw_behind",
  "clock",
] as const;

export type ShipTrouble = (typeof TROUBLES)[number];
