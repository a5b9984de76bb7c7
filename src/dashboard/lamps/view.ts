// The view of the page Lamps, which is in the address: the lamp that is shown, and the one to
// compare with.

import { LAMP_COUNT } from "../../bwts/tags.ts";
import { type ViewOf, wholeParameter } from "../parts/view.ts";

export const LAMPS_VIEW = {
  lamp: wholeParameter(1, LAMP_COUNT),
  with: wholeParameter(1, LAMP_COUNT),
};
export type LampsView = ViewOf<typeof LAMPS_VIEW>;
