// A key of the configuration: its type, its default and its description, from which the commented
// file and the tables of the manual are made.

import * as z from "zod";
import { text } from "./values.ts";

/** The description of a key, beside its type and its default. */
export interface KeyAbout {
  readonly description: string;
  readonly unit?: string;
  readonly example?: unknown;
  /**
   * Secret part: the value, which is shown nowhere, or the name of a file, of which only a path is
   * shown.
   */
  readonly secret?: "value" | "file name";
}

export const ABOUT = z.registry<KeyAbout>();

export function key<Type extends z.ZodType>(
  type: Type,
  fallback: z.input<Type>,
  description: string,
  about: Omit<KeyAbout, "description"> = {},
) {
  const made = z.prefault(type, fallback);
  ABOUT.add(made, { description, ...about });
  return made;
}

/**
 * The type of a key that names a secret file. A user may have written the secret in place of the
 * name.
 */
export const secretFile = (description: string, example?: string) =>
  key(text, "", description, { secret: "file name", ...(example && { example }) });
