// Compares sums, products and quotients of decimal values with a limit. Binary fractions err by a
// little: 350 m3 in 21 min were 1,000.0000000000001 m3/h, which is above a limit of 1,000. That
// decides nothing, on either side of a limit. Pure.

/** Maximum error of binary fractions: of a totaliser of 4e9 m3 it is half as much. */
const NOISE = 1e-6;

/** True if a value is above a limit by more than the noise of binary fractions; false for NaN. */
export const isAbove = (value: number, limit: number) => value - limit > NOISE;

/** True if a value is the limit, but for the noise, or below; false for NaN. */
export const isUpTo = (value: number, limit: number) => value - limit <= NOISE;

/** The decimal value of six places that is meant: totalisers have two or three. */
export const withoutNoise = (value: number) => Math.round(value * 1e6) / 1e6;
