// Spanish: the areas that the frame and the overview need, in a chunk that is loaded when the
// language is chosen. An area that is missing here would stay English.

import type { Language } from "../area.ts";
import { esFields } from "./fields.ts";
import { esOverview } from "./overview.ts";
import { esParts } from "./parts.ts";
import { esShell } from "./shell.ts";

export const es: Language = {
  code: "es",
  areas: {
    fields: esFields,
    overview: esOverview,
    parts: esParts,
    shell: esShell,
  },
  pages: async () => (await import("./es-pages.ts")).esPages,
};
