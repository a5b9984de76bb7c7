// Refusals by the office. If it refuses a statement, only that statement's chain stops, until the
// next hello; any other error ends the session.

import { codeOf, messageOf } from "../ground/errors.ts";
import type { Item, SessionParts } from "./parts.ts";

/** SQLSTATEs that a new hello may settle: the link before is missing, or a payload was altered. */
const UNKNOWN_PREDECESSOR = "FL001";
const WRONG_PAYLOAD = "FL002";
/** SQLSTATEs that concern only one statement: its data, or its size. */
export const REFUSED = /^(FL|22|23|54)...$/;
/** Maximum number of listed refusals, for an office that refuses everything. */
const REFUSALS_MAX = 100;

/** Records a refusal; true if a new hello may settle it. */
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
  // Following links are refused as well, and so are payloads whose link is missing; they aren't
  // recorded again.
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
