// Reads the answers about quarantined messages: the counts in /api/system, the list, an entry, and
// the result of taking one in again.

import type * as z from "zod";
import type {
  QuarantineContent,
  QuarantineItem,
  ReplayAllAnswer,
  ReplayAnswer,
} from "../../bwts/quarantine.ts";
import type { SystemAnswer } from "../../bwts/system.ts";
import {
  flagOrNull,
  instant,
  isLike,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
} from "../store/checks.ts";
import type { UncheckedSystem } from "./facts.ts";

type Counted = SystemAnswer["quarantine"]["reasons"][number];

export function reasonsIn({ quarantine }: UncheckedSystem) {
  if (!isLike<SystemAnswer["quarantine"]>(quarantine)) return null;
  const reasons = listOf(quarantine.reasons, (given) => {
    if (!isLike<Counted>(given)) return null;
    const reason = textOrNull(given.reason);
    const [entries, messages] = [numberOrNull(given.entries), numberOrNull(given.messages)];
    const waiting = numberOrNull(given.waiting);
    if (reason === null || entries === null || messages === null || waiting === null) return null;
    return { reason, entries, messages, waiting };
  });
  return reasons?.value ?? null;
}

export type ShownItem = NonNullable<ReturnType<typeof itemIn>>;

function itemIn(given: unknown) {
  if (!isLike<QuarantineItem>(given)) return null;
  const [id, reason] = [numberOrNull(given.id), textOrNull(given.reason)];
  const received_ms = instant(given.last_received);
  if (id === null || reason === null || received_ms === null) return null;
  const replay: UncheckedAnswer<NonNullable<QuarantineItem["replay"]>> = isLike(given.replay)
    ? given.replay
    : {};
  return {
    ...{ id, reason, received_ms, topic: textOrNull(given.topic) },
    detail: textOrNull(given.detail),
    count: numberOrNull(given.count) ?? 1,
    replayed_ms: instant(replay.at),
    stored: numberOrNull(replay.stored) ?? 0,
    left: textOrNull(replay.left),
  };
}

export const readItems: Read<{
  readonly items: readonly ShownItem[];
  readonly next: number | null;
}> = (body) => {
  if (!isLike<{ data: unknown; next: unknown }>(body)) return null;
  const items = listOf(body.data, itemIn);
  return items && { value: { items: items.value, next: numberOrNull(body.next) } };
};

/**
 * Reads an entry's content. `text` is exact, with its line breaks; null if it isn't text or isn't
 * complete.
 */
export const readContent: Read<
  ShownItem & { readonly text: string | null; readonly base64: string | null }
> = (body) => {
  const item = itemIn(body);
  if (item === null || !isLike<QuarantineContent>(body)) return null;
  const base64 = textOrNull(body.payload_base64);
  const isText = body.payload !== null && flagOrNull(body.is_whole) === true;
  return { value: { ...item, base64, text: isText && base64 !== null ? decoded(base64) : null } };
};

/** The text from its bytes, because the page's JSON reader replaces white space with one blank. */
function decoded(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export const readReplayed: Read<{
  readonly stored: number;
  readonly left: string | null;
  readonly isTrial: boolean;
}> = (body) => {
  if (!isLike<z.output<typeof ReplayAnswer>>(body)) return null;
  const stored = numberOrNull(body.stored);
  if (stored === null) return null;
  const left = textOrNull(body.left);
  const detail = textOrNull(body.detail);
  const reason = left === null ? null : [left, detail].filter((text) => text !== null).join(", ");
  return { value: { stored, left: reason, isTrial: body.dry_run === true } };
};

export const readReplayedAll: Read<{
  readonly stored: number;
  readonly left: number;
  readonly isTrial: boolean;
}> = (body) => {
  if (!isLike<z.output<typeof ReplayAllAnswer>>(body)) return null;
  const [stored, left] = [numberOrNull(body.stored), numberOrNull(body.left)];
  if (stored === null || left === null) return null;
  return { value: { stored, left, isTrial: body.dry_run === true } };
};
