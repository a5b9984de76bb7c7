// The icons of the pages: strokes of one width in a square of 24, drawn for ballastd. Each stands
// beside its word and is hidden from screen readers.

import type { LampStatus } from "../../bwts/plc-word.ts";
import type { LampCondition } from "../../bwts/present/lamp-condition.ts";

const PATHS = {
  overview: "M4 11l8-7 8 7M6 9.500V20h12V9.500M10 20v-5h4v5",
  alerts: "M12 4l9 16H3zM12 10v4.500M12 17.200v.1",
  lamps: "M9 17h6M10 20h4M9 17c0-2.500-3-3.500-3-7.500a6 6 0 0 1 12 0c0 4-3 5-3 7.500",
  trends: "M4 4v16h16M7.500 15l4-4.500 3 2.500 5-6",
  operations: "M4 6h16M4 12h16M4 18h10",
  health: "M3 12h4l2.500-6 4.500 12 2.500-6H21",
  handover: "M4 9h14l-3.500-3.500M20 15H6l3.500 3.500",
  "record-book": "M6 4h12v16H6zM9 8h6M9 12h6",
  inspection: "M6 4h12v16H6zM9 12l2.500 2.500 4.500-5",
  export: "M12 4v11M7.500 11l4.500 4.500 4.500-4.500M4 20h16",
  system: [
    "M12 8.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 0 0 0-7z",
    "M12 3v2.500M12 18.500V21M3 12h2.500M18.500 12H21",
    "M5.600 5.600l1.800 1.800M16.600 16.600l1.800 1.800",
    "M18.400 5.600l-1.800 1.800M7.400 16.600l-1.800 1.800",
  ].join(""),
  search: "M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13zM15.500 15.500L20 20",
  more: "M4 8h8M18 8h2M15 5.500v5M4 16h2M12 16h8M9 13.500v5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/**
 * The state of a lamp beside its word: a cross, an hourglass, a half disc, a ring, a question mark;
 * nothing for a good lamp.
 */
export function LampShape({ word }: { word: LampCondition | LampStatus }) {
  if (word === "active" || word === "good") return null;
  return (
    <svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
      {word === "failed" && <path d="M4 4l16 16M20 4L4 20" />}
      {word === "past_life" && <path d="M5 4h14l-7 8l7 8H5l7-8z" />}
      {word === "near_end" && <path class="solid" d="M12 4a8 8 0 0 1 0 16z" />}
      {word === "standby" && <circle cx="12" cy="12" r="8" />}
      {word === "unknown" && <path d="M8 9a4 4 0 1 1 5 3q-1 1-1 3m0 4v1" />}
    </svg>
  );
}
