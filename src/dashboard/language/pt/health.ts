// Portuguese texts of the area `health`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { healthWords } from "../en/health.ts";

export const ptHealth: Translated<typeof healthWords> = {
  title: "Estado técnico",
};
