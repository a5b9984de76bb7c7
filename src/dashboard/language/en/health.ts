// English texts of the page Health: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const healthWords = area("health", {
  title: "Health",
});
