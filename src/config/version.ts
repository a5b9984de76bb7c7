// The version line of the configuration file. It is read apart from the sections, because the
// environment has none.

import * as z from "zod";

/**
 * Version of the file's format that this program writes. It changes only when a key changes its
 * name or its meaning. A program reads its own version and all older ones, whose keys it
 * translates. It refuses a newer one, whose meaning can't be known.
 */
export const CONFIG_VERSION = 1;

/** Type of the version line; refuses a file that a newer ballastd wrote. */
export const VERSION = z
  .number(`is no number, expected ${CONFIG_VERSION}`)
  .refine((given) => given === CONFIG_VERSION, {
    error: ({ input }) =>
      `expected ${CONFIG_VERSION}${Number(input) > CONFIG_VERSION ? NEWER : ""}`,
    params: { form: "number" },
  })
  .prefault(CONFIG_VERSION);

const NEWER = ": the file is for a newer ballastd; install that, or put back the older file";
