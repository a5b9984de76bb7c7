// The development fleets: lamps by the physics that docs/evaluation.md writes down, and the
// constants from which their ships are drawn. The model knows families a, b, c, d, g and h, and
// none of the others. Modelling may look at these fleets; the hold-out fleets are in hold-out.ts.

/** A number that the lamps of a ship share, each with a deviation of its own. */
export type Draw = (name: string, low: number, high: number) => number;

/**
 * The light after a share of the life that decay allows, relative to the light at 0; `end` is its
 * value at a share of 1, the end-of-life efficiency.
 */
export type Course = (share: number, end: number) => number;

/** Decay of lamps by one mechanism. */
export interface Family {
  readonly about: string;
  /** True if a curve of the model can follow it. */
  readonly isKnown: boolean;
  /** Low-pressure lamps follow the water's temperature and mostly end by failure. */
  readonly pressure: "low" | "medium";
  course(draw: Draw): Course;
  /** Published figures instead of drawn ones. */
  readonly real?: RealLives;
}

export interface RealLives {
  readonly rated_h: number;
  readonly end_pct: number;
  /** Hours that lamps burn in a record. */
  readonly sailed_h: number;
  /** Hours at which lamps failed; their light isn't known. Null: none failed. */
  readonly failures_h: readonly number[] | null;
}

/** Ranges from which ships are drawn; docs/evaluation.md explains them. */
export interface Constants {
  /** Life by decay over rated hours: range of the ship's median, and spread of lamps as a log. */
  readonly life: readonly [number, number];
  readonly life_spread: readonly [number, number];
  /** Weibull shape of sudden failures, and their B10 over rated hours. */
  readonly failure_shape: readonly [number, number];
  readonly failure_b10: readonly [number, number];
  /** Share of lamps that are faulty when new, and the mean hours that they last. */
  readonly infant: readonly [number, number];
  readonly infant_h: number;
  /** Optical depth that an ordinary operation leaves on a sleeve. */
  readonly fouling: readonly [number, number];
  /** Loss of the UV sensor in 1,000 h. */
  readonly drift: readonly [number, number];
  /** Exponent with which the efficiency figure follows the set power. */
  readonly power_effect: readonly [number, number];
  /** Standard deviation of a reading, and of a lamp's slow wander. */
  readonly noise: readonly [number, number];
  readonly wander: readonly [number, number];
}

export interface FleetPlan {
  readonly name: string;
  /** Added to the seed of the command line. */
  readonly seed: number;
  readonly families: Readonly<Record<string, Family>>;
  /** True if there are ships whose lamps share nothing, besides those of each family. */
  readonly hasMixed: boolean;
  readonly constants: Constants;
}

const DEVELOPMENT_FAMILIES: Readonly<Record<string, Family>> = {
  "a power law": {
    about: "colour centres in the quartz, by a power of the hours",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const bend = draw("bend", 0.55, 1.3);
      return (share, end) => 1 - (1 - end) * share ** bend;
    },
  },
  "b exponential": {
    about: "each hour takes the same share of the light",
    isKnown: true,
    pressure: "medium",
    course: () => (share, end) => end ** share,
  },
  "c two-phase": {
    about: "a fast loss of the wall, then a slow one of the electrodes",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const early = draw("early", 0.15, 0.45);
      const over = draw("over", 5, 12);
      return (share, end) =>
        end ** (early * (Math.expm1(-over * share) / Math.expm1(-over)) + (1 - early) * share);
    },
  },
  "d logarithmic": {
    about: "levels off: each doubling of the hours costs the same",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const at = draw("at", 4, 25);
      return (share, end) => 1 - ((1 - end) * Math.log1p(at * share)) / Math.log1p(at);
    },
  },
  "e late knee": {
    about: "slow until the electrodes' emitter is used up, then steep",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const knee = draw("knee", 0.55, 0.8);
      const early = draw("early", 0.3, 0.5);
      const width = draw("width", 0.04, 0.09);
      const soft = (x: number) => width * Math.log1p(Math.exp((x - knee) / width));
      const whole = soft(1) - soft(0);
      return (share, end) =>
        end ** (early * share + ((1 - early) * (soft(share) - soft(0))) / whole);
    },
  },
  "f moving cold spot": {
    about: "exponential, and some waves of 1 to 3 % as the salts of a doped lamp move",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const waves = draw("waves", 2, 4);
      const size = draw("size", 0.01, 0.03);
      const phase = unshared(draw, "phase");
      const wave = (share: number) => Math.sin(2 * Math.PI * (waves * share + phase));
      return (share, end) => end ** share * Math.exp(4 * size * share * (1 - share) * wave(share));
    },
  },
  "g self-accelerating": {
    about: "sputtered metal heats the wall, which darkens the faster",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const grows = draw("grows", 1, 3);
      return (share, end) => 1 - ((1 - end) * Math.expm1(grows * share)) / Math.expm1(grows);
    },
  },
  "h early rise": {
    about: "gains for some hundred hours, then falls exponentially",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const gain = draw("gain", 0.02, 0.08);
      const over = draw("over", 8, 20);
      const risen = (share: number) => 1 - gain * Math.expm1(-over * share);
      return (share, end) => risen(share) * (end / risen(1)) ** share;
    },
  },
  "i hyperbolic": {
    about: "levels off: second-order loss of mercury",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const order = draw("order", 1.5, 5);
      return (share, end) => (1 + (end ** -order - 1) * share) ** (-1 / order);
    },
  },
  "j amalgam": {
    about: "mercury diffuses into the wall, by the root of the hours; most lamps fail before",
    isKnown: false,
    pressure: "low",
    course(draw) {
      const diffused = draw("diffused", 0.4, 0.9);
      return (share, end) =>
        1 - (1 - end) * (diffused * Math.sqrt(share) + (1 - diffused) * share * share);
    },
  },
  "k spells": {
    about: "a gamma process: light is lost in spells, between them hardly any",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const steps = 60;
      const rough = draw("rough", 0.6, 1.2);
      const lost = [0];
      for (let step = 1; step <= 2 * steps; step += 1) {
        // Exponential draws to a power have the long tail of a gamma process with rare jumps.
        const drawn = (-Math.log(1 - unshared(draw, `step ${step}`))) ** (1 + rough);
        lost.push(lost[step - 1] + drawn);
      }
      return (share, end) => {
        const at = Math.min(2 * steps - 1, share * steps);
        const before = Math.floor(at);
        const here = lost[before] + (lost[before + 1] - lost[before]) * (at - before);
        return end ** (here / lost[steps]);
      };
    },
  },
};

/** A uniform draw that the ship's lamps don't share. */
export function unshared(draw: Draw, name: string): number {
  return draw(`${OWN}${name}`, 0, 1);
}

/** Draws whose name begins with this belong to one lamp. */
export const OWN = "own ";

export const DEVELOPMENT: FleetPlan = {
  name: "development",
  seed: 0,
  families: DEVELOPMENT_FAMILIES,
  hasMixed: true,
  constants: {
    life: [0.7, 1.8],
    life_spread: [0.06, 0.2],
    failure_shape: [2, 5],
    failure_b10: [0.8, 2],
    infant: [0, 0.02],
    infant_h: 120,
    fouling: [0.0002, 0.0025],
    drift: [0, 0.04],
    power_effect: [0, 0.12],
    noise: [0.002, 0.008],
    wander: [0.001, 0.004],
  },
};

/** Development ships of the families that fall late. */
export const BEND_LATE: FleetPlan = {
  ...DEVELOPMENT,
  name: "bend late",
  families: Object.fromEntries(
    ["e late knee", "g self-accelerating"].map((name) => [name, DEVELOPMENT_FAMILIES[name]]),
  ),
  hasMixed: false,
};
