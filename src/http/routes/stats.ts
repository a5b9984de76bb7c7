// The overview over HTTP, which has no parameters. A reader makes it in one snapshot of the
// database, so that its four parts agree.

import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export function stats(_asked: Asked<unknown>, context: HttpContext): Promise<Reply> {
  return ask(context, { name: "stats" });
}
