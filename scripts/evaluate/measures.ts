// The scores of a report, as columns: their names, goals and digits, and which value is worst.
// The goals are those of all ships together and of each family.

import type { ScoreSet } from "./scores.ts";

export interface Measure {
  readonly key: keyof ScoreSet;
  readonly name: string;
  /** Goals of all ships together, and of each family. */
  readonly goal: string;
  readonly family_goal: string;
  readonly digits: number;
  readonly factor: number;
  /** The greater, the worse. */
  readonly badness: (value: number) => number;
}

export const MEASURES: readonly Measure[] = [
  {
    key: "coverage",
    name: "coverage",
    goal: ".88 to .92",
    family_goal: ".85 to .95",
    digits: 3,
    factor: 1,
    badness: (value) => Math.abs(value - 0.9),
  },
  {
    key: "width_h",
    name: "width, h",
    goal: "2,000 or less",
    family_goal: "",
    digits: 0,
    factor: 1,
    badness: (value) => value,
  },
  {
    key: "interval_h",
    name: "interval score, h",
    goal: "2,300 or less",
    family_goal: "",
    digits: 0,
    factor: 1,
    badness: (value) => value,
  },
  {
    key: "brier",
    name: "Brier, %",
    goal: "76 or more",
    family_goal: "",
    digits: 0,
    factor: 100,
    badness: (value) => -value,
  },
  {
    key: "error",
    name: "error, %",
    goal: "70 or more",
    family_goal: "",
    digits: 0,
    factor: 100,
    badness: (value) => -value,
  },
  {
    key: "half_life",
    name: "half life",
    goal: ".82 or more",
    family_goal: ".60 or more",
    digits: 2,
    factor: 1,
    badness: (value) => -value,
  },
  {
    key: "gap",
    name: "gap",
    goal: ".006 or less",
    family_goal: "",
    digits: 3,
    factor: 1,
    badness: (value) => value,
  },
];
