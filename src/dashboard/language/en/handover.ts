// English texts of the page Handover: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const handoverWords = area("handover", {
  title: "Handover",
});
