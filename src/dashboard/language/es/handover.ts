// Spanish texts of the area `handover`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { handoverWords } from "../en/handover.ts";

export const esHandover: Translated<typeof handoverWords> = {
  title: "Relevo de guardia",
};
