// A key of the configuration: its type, its default, and what is told of it beside them, from which
// the commented file and the tables of the manual are made.

import * as z from "zod";
import { text } from "./values.ts";

/** Beside a key's type and default. */
export interface KeyAbout {
  readonly description: string;
  readonly unit?: string;
  readonly example?: unknown;
  /** Its value is shown nowhere; of a file's name only what is a path. */
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

/** A file that may be secret, or in place of whose name a secret may have been written. */
export const secretFile = (description: string, example?: string) =>
  key(text, "", description, { secret: "file name", ...(example && { example }) });
