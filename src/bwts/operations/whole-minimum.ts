// The minimum of an operation's UV in whole numbers, for every page and printout: two that differed
// by one would be no evidence. A file of its own, because it is part of the overview's script.

/** Rounded down, so that a value just below its limit doesn't look as if it reached it. */
export const wholeMinimum = (value: number) => Math.floor(value);
