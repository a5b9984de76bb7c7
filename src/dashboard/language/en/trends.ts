// English texts of the page Trends: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const trendsWords = area("trends", {
  title: "Trends",
});
