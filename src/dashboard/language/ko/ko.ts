// Korean: the areas that the frame and the overview need, in a chunk that is loaded when the
// language is chosen. An area that is missing here would stay English.

import type { Language } from "../area.ts";
import { koFields } from "./fields.ts";
import { koOverview } from "./overview.ts";
import { koParts } from "./parts.ts";
import { koShell } from "./shell.ts";

export const ko: Language = {
  code: "ko",
  sample: ["한", "물"],
  areas: {
    fields: koFields,
    overview: koOverview,
    parts: koParts,
    shell: koShell,
  },
  pages: async () => (await import("./ko-pages.ts")).koPages,
};
