// An act of an engineer, such as acknowledging an alert: a POST, the answer as a part of the page,
// and `needsToken` if the token isn't sufficient.

import { type PagePart, type PageReply, renewed, replyTo, UNKNOWN } from "./ask.ts";
import type { Read } from "./checks.ts";
import { askEverything } from "./store.ts";
import { authorization } from "./token.ts";

/** The answer. `needsToken` is true without a token, or if its role isn't sufficient. */
export interface ActOutcome<T> extends PagePart<T> {
  readonly needsToken: boolean;
}

/** Sends the act to `path`, and reads the answer. Never rejects. */
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

/** A POST with a time limit. Never rejects. */
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
