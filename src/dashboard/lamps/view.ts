// The view of the page Lamps, which is in the address: the lamp that is shown, the one to compare
// with, and what is opened beside them.

import { LAMP_COUNT } from "../../bwts/tags.ts";
import { type ViewOf, wholeParameter, wordParameter } from "../parts/view.ts";

export const LAMPS_VIEW = {
  lamp: wholeParameter(1, LAMP_COUNT),
  with: wholeParameter(1, LAMP_COUNT),
  /** Values and earlier lamps are of the lamp that is shown; the order list is a sheet alone. */
  show: wordParameter(["lamps", "values", "earlier", "record", "order"], "lamps"),
};
export type LampsView = ViewOf<typeof LAMPS_VIEW>;
