// Portuguese texts of the area `lamps`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { lampsWords } from "../en/lamps.ts";

export const ptLamps: Translated<typeof lampsWords> = {
  title: "Lâmpadas",
};
