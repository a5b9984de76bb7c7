// The troubles that a ship of a fleet may have, the worst first. The fleet page knows them too, so
// they stand here without the schemas, which a page doesn't carry.

export const TROUBLES = [
  "fork",
  "alarms",
  "no_contact",
  "no_readings",
  "raw_behind",
  "clock",
] as const;

export type ShipTrouble = (typeof TROUBLES)[number];
