// Portuguese: the areas that the frame and the overview need, in a chunk that is loaded when the
// language is chosen. An area that is missing here would stay English.

import type { Language } from "../area.ts";
import { ptFields } from "./fields.ts";
import { ptOverview } from "./overview.ts";
import { ptParts } from "./parts.ts";
import { ptShell } from "./shell.ts";

export const pt: Language = {
  code: "pt",
  areas: {
    fields: ptFields,
    overview: ptOverview,
    parts: ptParts,
    shell: ptShell,
  },
  pages: async () => (await import("./pt-pages.ts")).ptPages,
};
