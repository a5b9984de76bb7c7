// The hold-out fleets: families, constants and seeds that the development fleets don't have. NOBODY
// TUNES ON THEM. They are evaluated once when a change of the model is finished, and the result
// goes into the commit of that change, whatever it is. Don't look into single ships of them.

import { type Family, type FleetPlan, unshared } from "./families.ts";

const HOLD_OUT_FAMILIES: Readonly<Record<string, Family>> = {
  "n stretched": {
    about: "a spread of exponentials (Kohlrausch), faster than exponential at first",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const beta = draw("beta", 0.5, 0.85);
      return (share, end) => end ** (share ** beta);
    },
  },
  "o Gompertz": {
    about: "a rate of loss that grows exponentially with the hours",
    isKnown: true,
    pressure: "medium",
    course(draw) {
      const rate = draw("rate", 1.5, 4);
      return (share, end) => end ** (Math.expm1(rate * share) / Math.expm1(rate));
    },
  },
  "p saturating": {
    about: "traps in the quartz fill up, and the electrodes go on wearing evenly",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const half = draw("half", 0.05, 0.35);
      const traps = draw("traps", 0.3, 0.75);
      const filled = (share: number) => (share / (share + half)) * (1 + half);
      return (share, end) => 1 - (1 - end) * (traps * filled(share) + (1 - traps) * share);
    },
  },
  "q changed course": {
    about: "straight, until another course begins: another ballast setting, another water",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const at = 0.2 + 0.6 * unshared(draw, "at");
      const early = at * draw("early", 0.45, 1.6);
      const lost = Math.min(0.9, early);
      return (share, end) => {
        const fall =
          share < at ? (lost * share) / at : lost + ((1 - lost) * (share - at)) / (1 - at);
        return 1 - (1 - end) * fall;
      };
    },
  },
  "r shocks": {
    about: "starts crack a little off the electrodes: small sudden losses upon a slow decay",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const sudden = draw("sudden", 0.25, 0.6);
      const times = Array.from({ length: 24 }, (_, i) => 2 * unshared(draw, `shock ${i}`));
      const before = (share: number) => times.filter((time) => time < share).length;
      const whole = Math.max(1, before(1));
      return (share, end) => end ** ((sudden * before(share)) / whole + (1 - sudden) * share);
    },
  },
  "s wall and knee": {
    about: "diffusion into the wall by the root of the hours, and a steep end by the cube",
    isKnown: false,
    pressure: "low",
    course(draw) {
      const wall = draw("wall", 0.3, 0.6);
      return (share, end) => 1 - (1 - end) * (wall * Math.sqrt(share) + (1 - wall) * share ** 3);
    },
  },
  "t recovering": {
    about: "darkening that heat anneals: an early loss comes back in part before the slow decay",
    isKnown: false,
    pressure: "medium",
    course(draw) {
      const dip = draw("dip", 0.02, 0.05);
      const at = draw("dip at", 0.06, 0.14);
      const dipped = (share: number) => dip * (share / at) * Math.exp(1 - share / at);
      return (share, end) => end ** share - dipped(share) + dipped(1) * share;
    },
  },
};

export const HOLD_OUT: FleetPlan = {
  name: "hold-out",
  seed: 7_000_000,
  families: HOLD_OUT_FAMILIES,
  hasMixed: true,
  constants: {
    life: [0.6, 2.1],
    life_spread: [0.04, 0.25],
    failure_shape: [1.5, 4],
    failure_b10: [0.7, 2.5],
    infant: [0, 0.03],
    infant_h: 60,
    fouling: [0.0001, 0.004],
    drift: [-0.01, 0.08],
    power_effect: [-0.04, 0.16],
    noise: [0.001, 0.012],
    wander: [0.0005, 0.006],
  },
};
