// Portuguese texts of the area `export`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { exportWords } from "../en/export.ts";

export const ptExport: Translated<typeof exportWords> = {
  title: "Exportar",
};
