// English texts of the page System: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const systemWords = area("system", {
  title: "System",
});
