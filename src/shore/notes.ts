// Acknowledgements and bytes on the line, sent to the writer each minute. They are for people: the
// office itself knows what it has.

import { MINUTE_MS } from "../ground/clock.ts";
import type { Heads } from "../sqlite/exchange/shore-links.ts";
import type { ShoreComplete } from "../sqlite/exchange/shore-noted.ts";
import type { ShoreConnection } from "./connection.ts";
import type { Item, SessionParts } from "./parts.ts";

const NOTE_MS = MINUTE_MS;

/** Counts the bytes and acknowledgements of one connection. */
export function openNotes(
  connection: ShoreConnection,
  { writer, budget, state, now_ms, objects }: SessionParts,
) {
  const before = objects?.traffic();
  const traffic = () => {
    const [line, store] = [connection.traffic(), objects?.traffic()];
    const more = (name: keyof typeof line) => (store?.[name] ?? 0) - (before?.[name] ?? 0);
    return {
      sent_bytes: line.sent_bytes + more("sent_bytes"),
      received_bytes: line.received_bytes + more("received_bytes"),
    };
  };
  let acknowledged: Partial<Heads> = {};
  let complete: ShoreComplete | null = null;
  let told = { sent_bytes: 0, received_bytes: 0 };
  let counted_bytes = 0;
  let sessions = 1;
  let written_ms = performance.now();
  const count = () => {
    const { sent_bytes, received_bytes } = traffic();
    budget.count(sent_bytes + received_bytes - counted_bytes);
    counted_bytes = sent_bytes + received_bytes;
  };
  const write = async () => {
    count();
    written_ms = performance.now();
    const now = traffic();
    const used = {
      sent_bytes: now.sent_bytes - told.sent_bytes,
      received_bytes: now.received_bytes - told.received_bytes,
    };
    const note = { now_ms: now_ms(), acknowledged, complete, ...used, sessions };
    told = now;
    acknowledged = {};
    complete = null;
    sessions = 0;
    // On a full disk nothing is recorded; the office knows what it has.
    await writer.call("note_shore", note).catch(() => undefined);
  };
  return {
    acknowledged({ chain, number }: Item) {
      if (chain !== null) acknowledged = { ...acknowledged, [chain]: number };
      state.answered = { steady_ms: performance.now(), at_ms: now_ms() };
    },
    /** Records that nothing is left to send. */
    completed() {
      if (state.has === null) return;
      const { links, hours, ledger } = state.has;
      acknowledged = links;
      complete = { segments: links.segment, hours, ledger };
    },
    look() {
      count();
      if (performance.now() - written_ms >= NOTE_MS) void write();
    },
    write,
  };
}
