// Spanish texts of the area `trends`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { trendsWords } from "../en/trends.ts";

export const esTrends: Translated<typeof trendsWords> = {
  title: "Tendencias",
};
