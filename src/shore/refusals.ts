// Refusals by the shore. One of a statement stops its chain until the next hello, and nothing else;
// any other error ends the session.

import { codeOf, messageOf } from "../ground/errors.ts";
import type { Item, SessionParts } from "./parts.ts";

/** Refusals that a hello may settle: the link before isn't there, or a payload was altered. */
const UNKNOWN_PREDECESSOR = "FL001";
const WRONG_PAYLOAD = "FL002";
/** Refusals of one statement, whatever comes after it: of its data, and of its size. */
export const REFUSED = /^(FL|22|23|54)...$/;
/** A shore that refuses everything is told of by so many. */
const REFUSALS_MAX = 100;

/** Notes a refusal; true if a new hello may settle it. */
export function judge(
  item: Item,
  error: unknown,
  parts: SessionParts,
  blocked: Set<string>,
): boolean {
  const { state, spoilt, log } = parts;
  const { chain, number, what } = item;
  const reason = messageOf(error);
  const code = codeOf(error);
  // The links that follow are refused with it, and readings whose link isn't there.
  const isBehind = chain === null && number > 0 && code === UNKNOWN_PREDECESSOR;
  if (blocked.has(isBehind ? "segment" : (chain ?? ""))) return false;
  const key = chain ?? what;
  const known = state.refusals.get(key);
  if (chain !== null) blocked.add(chain);
  const isSpoilt = code === WRONG_PAYLOAD && item.number > 0;
  if (isSpoilt) spoilt.add(number);
  const isNew = known?.what !== what;
  const isRoom = state.refusals.size < REFUSALS_MAX || known !== undefined;
  if (code === UNKNOWN_PREDECESSOR && isNew) {
    if (isRoom) state.refusals.set(key, { what, reason });
    return true;
  }
  if (isRoom) state.refusals.set(isSpoilt ? `payload ${number}` : key, { what, reason });
  if (isNew && isRoom) log.error("the shore refuses what is sent", { what, reason });
  return isSpoilt && chain !== null;
}
