// Portuguese: its areas, one file each, in one chunk that is loaded when the language is chosen. An
// area that is missing here stays English.

import type { Language } from "../area.ts";

export const pt: Language = { code: "pt", areas: {} };
