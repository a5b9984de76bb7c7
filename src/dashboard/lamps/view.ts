// The view of the page Lamps, as it is in the address: the lamp shown, the one to compare with, and
// the part that is open beside them.

import { LAMP_COUNT } from "../../bwts/tags.ts";
import type { ViewOf } from "../parts/view.ts";
import { wholeParameter, wordParameter } from "../parts/view-parameters.ts";

export const LAMPS_VIEW = {
  lamp: wholeParameter(1, LAMP_COUNT),
  with: wholeParameter(1, LAMP_COUNT),
  /**
   * The open part. Values and earlier lamps belong to the lamp shown; the order list is a sheet
   * alone.
   */
  show: wordParameter(["lamps", "values", "earlier", "record", "order"], "lamps"),
};
export type LampsView = ViewOf<typeof LAMPS_VIEW>;
