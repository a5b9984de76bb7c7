// English texts of the page Export: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const exportWords = area("export", {
  title: "Export",
});
