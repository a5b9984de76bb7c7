// English texts of the page Lamps: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const lampsWords = area("lamps", {
  title: "Lamps",
});
