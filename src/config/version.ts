// The version line of the configuration file. It is read apart from the sections, because the
// environment has none.

import * as z from "zod";

/**
 * The version of the file's form that this program writes. It changes only when a key changes its
 * name or its meaning. A program reads its own and every older one, whose keys it translates; a
 * newer one is refused, because its meaning can't be known.
 */
export const CONFIG_VERSION = 1;

/** Refuses a file that a newer ballastd wrote. */
export const VERSION = z
  .number(`is no number, expected ${CONFIG_VERSION}`)
  .refine((given) => given === CONFIG_VERSION, {
    error: ({ input }) =>
      `expected ${CONFIG_VERSION}${Number(input) > CONFIG_VERSION ? NEWER : ""}`,
    params: { form: "number" },
  })
  .prefault(CONFIG_VERSION);

const NEWER = ": the file is for a newer ballastd; install that, or put back the older file";
