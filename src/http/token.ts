// Bearer tokens. Both sides are hashed before they are compared, so that neither the length nor the
// first wrong character shows in the time it takes.

import { hash, timingSafeEqual } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** Throws a Refusal (401) unless `authorization` carries `token`. An empty token fits nobody. */
export function requireToken(authorization: string | undefined, token: string): void {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (given !== undefined && token !== "" && sameText(given, token)) return;
  const was = authorization === undefined ? "is missing" : "is not valid";
  throw new Refusal(401, `Authorization ${was}, expected Bearer <token>`, {
    "WWW-Authenticate": "Bearer",
  });
}

function sameText(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}
