// The overview over HTTP, which has no parameters. A reader makes it in one snapshot of the
// database, so that its four parts agree.

import { type Asked, ask, type House, type Reply } from "./route.ts";

export function stats(_asked: Asked<unknown>, house: House): Promise<Reply> {
  return ask(house, { name: "stats" });
}
