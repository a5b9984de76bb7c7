// English texts of the rules of a verdict and of the remarks about an operation, taken from the
// tables that the manual has too.

import { REMARKS } from "../../bwts/operations/operation-words.ts";
import { RULES } from "../../bwts/operations/rules.ts";
import { area } from "./area.ts";

export const rulesWords = area<Readonly<Record<string, string>>>("rules", {
  ...Object.fromEntries(RULES.map(({ rule, about }) => [rule, about])),
  ...REMARKS,
});
