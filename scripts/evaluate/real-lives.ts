// Figures of real lamps: 200 lives that ended by failure, of which no light is known, and published
// decays of which two or three points are. Ships are made with such lamps, and scored like others.
// docs/evaluation.md says what they can show.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Course, Family, FleetPlan } from "./families.ts";

const DAVIS = path.join(import.meta.dirname, "..", "..", "test", "oracle", "davis-lamps.csv");

/** Hours and light, in percent of new, from the first point after 0 to the last. */
type Points = readonly (readonly [number, number])[];

const DECAYS: Readonly<Record<string, { readonly source: string; readonly points: Points }>> = {
  "amalgam 12,000 h": {
    source: "low-pressure amalgam, Knight and Kilgour 2011",
    points: [[12_000, 89]],
  },
  "low pressure 9,000 h": {
    source: "low pressure, 10 to 15 %, UVDI 2023",
    points: [[9_000, 87.5]],
  },
  "guidance 8,000 h": {
    source: "US EPA's UV guidance manual by way of Malley",
    points: [[8_000, 80]],
  },
  "UVC 18,000 h": {
    source: "germicidal lamp, Light Progress 2024",
    points: [[18_000, 70]],
  },
  "metal halide 15,000 h": {
    source: "400 W metal halide, Keith: 22 % lost at .4 of the rated life, 40 % at its end",
    points: [
      [6_000, 78],
      [15_000, 60],
    ],
  },
  "metal halide 6,400 h": {
    source: "aquarium lamps measured in use, 2007: 70.75 % after 3,400 h, 60 % after 6,400 h",
    points: [
      [3_400, 70.75],
      [6_400, 60],
    ],
  },
};

/** Light between the points by the power law through each two of them; beyond, by the last. */
function through(points: Points): Course {
  const lives = points.map(([hours, percent]) => ({
    share: hours / points[points.length - 1][0],
    lost: 1 - percent / 100,
  }));
  return (share, end) => {
    const next = Math.max(
      1,
      lives.findIndex((point) => point.share >= share - 1e-12),
    );
    const to = lives[Math.min(lives.length - 1, next)];
    const from = lives[Math.min(lives.length - 1, next) - 1];
    const bend =
      from === undefined ? 1 : Math.log(to.lost / from.lost) / Math.log(to.share / from.share);
    return 1 - (1 - end) * (to.lost / lives[lives.length - 1].lost) * (share / to.share) ** bend;
  };
}

function decaysAsFamilies(): Record<string, Family> {
  const families = Object.entries(DECAYS).map(([name, { source, points }]) => {
    const [rated_h, end_pct] = points[points.length - 1];
    const family: Family = {
      about: source,
      isKnown: false,
      pressure: "medium",
      course: () => through(points),
      real: { rated_h, end_pct, sailed_h: 0.9 * rated_h, failures_h: null },
    };
    return [name, family] as const;
  });
  return Object.fromEntries(families);
}

/** Davis' lamps have no record of light: their ships' PLC sends none. */
function davis(): Family {
  const failures_h = readFileSync(DAVIS, "utf8")
    .split("\n")
    .filter((line) => /^\d+,\d+$/.test(line))
    .map((line) => Number(line.split(",")[1]));
  return {
    about: "200 incandescent lamps, Davis 1952: failures alone",
    isKnown: false,
    pressure: "medium",
    course: () => () => 1,
    real: { rated_h: 1_000, end_pct: 70, sailed_h: 3_200, failures_h },
  };
}

export const REAL: FleetPlan = {
  name: "real",
  seed: 0,
  families: { "Davis' failures": davis(), ...decaysAsFamilies() },
  hasMixed: false,
  constants: {
    life: [1, 1],
    life_spread: [0.05, 0.05],
    failure_shape: [3, 3],
    failure_b10: [20, 20],
    infant: [0, 0],
    infant_h: 100,
    fouling: [0.0002, 0.0025],
    drift: [0, 0.04],
    power_effect: [0, 0.12],
    noise: [0.002, 0.008],
    wander: [0.001, 0.004],
  },
};
