// The id of a request, in its answer and in each line of the log about it. A client's own id is
// used, so that a proxy's log and ours can be compared; one that isn't well-formed is replaced, so
// that no text of a client's making is repeated in a header or a log.

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const REQUEST_ID = "X-Request-Id";

/**
 * Form of accepted ids: UUIDs, ULIDs, hex, base64, and those that proxies make of a time and an
 * address.
 */
const WELL_FORMED = /^[\w.:/+=@~-]{1,128}$/;

const ids = new WeakMap<IncomingMessage, string>();

/** The client's id if it is well-formed and given once, else one of our own. */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const given = request.headers["x-request-id"];
  const id = typeof given === "string" && WELL_FORMED.test(given) ? given : newRequestId();
  ids.set(request, id);
  return id;
}

export const newRequestId = (): string => randomUUID();
