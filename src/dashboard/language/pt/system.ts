// Portuguese texts of the area `system`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { systemWords } from "../en/system.ts";

export const ptSystem: Translated<typeof systemWords> = {
  title: "Sistema",
};
