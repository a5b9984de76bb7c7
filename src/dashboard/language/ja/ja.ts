// Japanese: the areas that the frame and the overview need, in a chunk that is loaded when the
// language is chosen. An area that is missing here would stay English.

import type { Language } from "../area.ts";
import { jaFields } from "./fields.ts";
import { jaOverview } from "./overview.ts";
import { jaParts } from "./parts.ts";
import { jaShell } from "./shell.ts";

export const ja: Language = {
  code: "ja",
  sample: ["日", "水"],
  areas: {
    fields: jaFields,
    overview: jaOverview,
    parts: jaParts,
    shell: jaShell,
  },
  pages: async () => (await import("./ja-pages.ts")).jaPages,
};
