// Interface B's plant. Its id is an int64 in full, which a JavaScript number can't hold: it is read
// from the text of the JSON number and is a bigint from there on.

import * as z from "zod";
import { isPlainLine, PLAIN_EXPECTED } from "../ground/plain-text.ts";

export interface NewPlant {
  readonly id: bigint;
  readonly name: string;
  readonly tag: string | null;
}

/** The result of saving a plant: stored, present with the same content, or with another. */
export type SaveResult = "stored" | "same" | "different";

const ID_MIN = -(2n ** 63n);
const ID_MAX = 2n ** 63n - 1n;

const wellFormed = (text: string) => text.isWellFormed();
const name = z
  .string("expected a text that isn't blank")
  .refine((text) => text.trim() !== "", "expected a text that isn't blank")
  .refine(wellFormed, "expected a text without lone surrogates")
  .refine(isPlainLine, PLAIN_EXPECTED)
  .meta({ description: "not blank" });
const tag = z
  .string("expected a text, or no tag at all")
  .refine(wellFormed, "expected a text without lone surrogates")
  .refine(isPlainLine, PLAIN_EXPECTED)
  .meta({ description: "type of plant" });
const ID_EXPECTED = `expected an integer from ${ID_MIN} to ${ID_MAX}, without fraction or exponent`;
const id = z
  .bigint(ID_EXPECTED)
  .min(ID_MIN, ID_EXPECTED)
  .max(ID_MAX, ID_EXPECTED)
  .meta({ type: "integer", format: "int64", description: "identification number" });

/** A plant as posted, with its integers read as bigints. Other members are ignored. */
export const NewPlantBody = z
  .object({ id, name, tag: tag.optional() })
  .meta({ id: "NewPlant", example: { id: 7, name: "BWTS-001", tag: "uv" } });

export const PlantAnswer = z
  .object({ name, tag: tag.optional() })
  .meta({ id: "Plant", example: { name: "BWTS-001", tag: "uv" } });
