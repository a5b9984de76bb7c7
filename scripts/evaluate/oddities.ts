// Odd things of ships: the fleets have all of them now and then; ships of `--odd` have one at a
// time, and always. Numbers are probabilities: of a ship unless said otherwise.

interface Odds {
  readonly no_sensor: number;
  readonly no_set_power: number;
  readonly no_cleaning_counter: number;
  /** Each of: water temperature, lamps' power, the water's factor. */
  readonly no_other: number;
  readonly rated_wrong: number;
  readonly minutes: number;
  /** At a port call. */
  readonly sensor_swapped: number;
  readonly lamps_swapped: number;
  /** At a replacement. */
  readonly reset_late: number;
  readonly reset_never: number;
  /** At a cleaning. */
  readonly in_vain: number;
  /** Each ballast, and each sleeve at a port call. */
  readonly ballast_bad: number;
  readonly sleeve_wiped: number;
  readonly no_fouling: number;
  /** Usually runs at far less than the power at which the lamps' figures hold. */
  readonly dimmed: number;
  /** Sends the mean of all lamps as each lamp's figure. */
  readonly one_figure: number;
  /** Half of the lamps lose light at once, for good: a bank's wiper sticks. */
  readonly bank_dims: number;
  /** Each lamp is measured now and then; between, its figure stands. */
  readonly by_hand: number;
  /** All figures have another scale from some day on. */
  readonly rescaled: number;
}

const NOTHING: Odds = {
  no_sensor: 0,
  no_set_power: 0,
  no_cleaning_counter: 0,
  no_other: 0,
  rated_wrong: 0,
  minutes: 0,
  sensor_swapped: 0,
  lamps_swapped: 0,
  reset_late: 0,
  reset_never: 0,
  in_vain: 0,
  ballast_bad: 0,
  sleeve_wiped: 0,
  no_fouling: 0,
  dimmed: 0,
  one_figure: 0,
  bank_dims: 0,
  by_hand: 0,
  rescaled: 0,
};

const ORDINARY: Odds = {
  no_sensor: 0.15,
  no_set_power: 0.15,
  no_cleaning_counter: 0.15,
  no_other: 0.15,
  rated_wrong: 0.2,
  minutes: 0,
  sensor_swapped: 0.006,
  lamps_swapped: 0.004,
  reset_late: 0.04,
  reset_never: 0.03,
  in_vain: 0.1,
  ballast_bad: 0.03,
  sleeve_wiped: 0.0006,
  no_fouling: 0,
  dimmed: 0,
  one_figure: 0,
  bank_dims: 0,
  by_hand: 0,
  rescaled: 0,
};

/** One thing at a time. */
const ONE = {
  "nothing odd": {},
  "no sensor": { no_sensor: 1 },
  "set power never told": { no_set_power: 1 },
  "cleaning never told": { no_cleaning_counter: 1 },
  "nothing told but the lamps": {
    no_sensor: 1,
    no_set_power: 1,
    no_cleaning_counter: 1,
    no_other: 1,
  },
  "sensor replaced": { sensor_swapped: 0.03 },
  "half of the cleanings in vain": { in_vain: 0.5 },
  "lamps that get better": { ballast_bad: 0.5, sleeve_wiped: 0.02 },
  "usually dimmed": { dimmed: 1 },
  "one figure for all lamps": { one_figure: 1 },
  "half of the lamps dim at once": { bank_dims: 1 },
  "measured by hand": { by_hand: 1 },
  "figures rescaled": { rescaled: 1 },
  "lamps swapped": { lamps_swapped: 0.06 },
  "counters in minutes": { minutes: 1 },
  "counters reset late": { reset_late: 1 },
  "counters never reset": { reset_never: 1 },
  "rated hours told wrongly": { rated_wrong: 1 },
} as const;

export type Oddity = "any" | "any, but no fouling" | keyof typeof ONE;

const isOne = (name: string): name is keyof typeof ONE => name in ONE;
export const ODDITIES = Object.keys(ONE).filter(isOne);

export function oddsOf(odd: Oddity): Odds {
  if (odd === "any") return ORDINARY;
  if (odd === "any, but no fouling") return { ...ORDINARY, no_fouling: 1 };
  return { ...NOTHING, ...ONE[odd] };
}
