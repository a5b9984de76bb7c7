// An act of an engineer, such as acknowledging an alert: a POST, the answer as a part of the page,
// and if the token serves for it.

import { type PagePart, type PageReply, renewed, replyTo, UNKNOWN } from "./ask.ts";
import type { Read } from "./checks.ts";
import { askEverything } from "./store.ts";
import { authorization } from "./token.ts";

/** The answer. `needsToken` if there is no token, or if its role is too small. */
export interface ActOutcome<T> extends PagePart<T> {
  readonly needsToken: boolean;
}

/** Does what `path` names, and reads the answer. Never rejects. */
export async function act<T>(
  path: string,
  body: object,
  read: Read<T>,
  answer_max_ms: number,
): Promise<ActOutcome<T>> {
  if (authorization(path).Authorization === undefined) return { ...UNKNOWN, needsToken: true };
  const reply = await replyWithin(path, body, answer_max_ms);
  if (reply.problem === null) askEverything();
  const needsToken = reply.status === 401 || reply.status === 403;
  return { ...renewed(UNKNOWN, reply, read), needsToken };
}

/** A POST that is given up after a time. Never rejects. */
export async function replyWithin(
  path: string,
  body: object,
  answer_max_ms: number,
): Promise<PageReply> {
  const asking = new AbortController();
  const limit = window.setTimeout(() => asking.abort(), answer_max_ms);
  const reply = await replyTo(path, asking.signal, body);
  window.clearTimeout(limit);
  return reply;
}
