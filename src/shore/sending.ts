// Sending over one connection: takes the next item in the order of sending when the window and the
// budget allow it, and handles each answer.

import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS } from "../ground/clock.ts";
import { codeOf, messageOf } from "../ground/errors.ts";
import { StoredDamage } from "../sqlite/file/query.ts";
import { isKeyRefused, type ShoreConnection } from "./connection.ts";
import { greet, takeOver } from "./greeting.ts";
import { openNotes } from "./notes.ts";
import { ObjectsAway } from "./objects.ts";
import type { Aboard, Item, SessionParts, ShoreSource } from "./parts.ts";
import { judge, REFUSED } from "./refusals.ts";
import { openSources } from "./sources.ts";
import { bytesOf } from "./statement.ts";
import { openWindow, type SendWindow } from "./window.ts";

/** Interval of hellos within a session: the office may have new requests. */
const HELLO_MS = HOUR_MS;
/** Approximate length of a hello on the line, in bytes. */
const HELLO_BYTES = 4096;

export function openSending(connection: ShoreConnection, parts: SessionParts) {
  const { budget, readers, objects } = parts;
  const window = openWindow(undefined, parts.silence_ms);
  const blocked = new Set<string>();
  parts.state.reported_ms = null;
  const noted = openNotes(connection, parts);
  const flights = openFlights(connection, parts, { window, blocked, noted });
  const queue = openQueue(parts);
  let aboard: Aboard = {
    ...{ heads: { segment: 0, event: 0, audit: 0 }, hours: 0, look: 0 },
    ledger: { head: 0, statement: 0 },
  };
  let helloAt_ms = 0;
  /** True if a hello is due as soon as no statement waits for its answer. */
  const needsHello = () =>
    flights.isHelloDue() ||
    parts.state.isHelloWanted ||
    performance.now() - helloAt_ms > HELLO_MS ||
    objects?.isDue() === true ||
    (flights.areNone() && queue.wantsHello());
  return {
    ...flights,
    needsHello,
    async hello() {
      // Counted as sent, so that a missing answer to a hello is noticed as silence.
      const flight = window.sent(HELLO_BYTES);
      parts.state.isHelloWanted = false;
      const hello = await greet(connection, parts, helloAt_ms > 0);
      window.acknowledged(flight);
      helloAt_ms = performance.now();
      flights.greeted();
      objects?.greeted();
      await takeOver(hello, parts);
      aboard = { ...(await readers.call("shore_heads")), look: aboard.look + 1 };
      queue.begin(openSources({ ...parts, hello, blocked, aboard: () => aboard }));
    },
    /** The next item; null if there is none that the window and the budget allow now. */
    async next(): Promise<Item | null> {
      if (!window.hasRoom()) return null;
      // While a hello is due, alerts are still sent: a store that hangs must not delay them.
      const isUrgentOnly = needsHello() || budget.isUsedUp() || budget.wait_ms() > 0;
      const item = await queue.next(isUrgentOnly);
      const isAll = item === null && !isUrgentOnly && parts.settings().raw === "always";
      if (objects?.isAway() === true) return item;
      const isDone = flights.areNone() && !flights.isHelloDue() && !queue.wantsHello();
      if (isAll && isDone && parts.state.refusals.size === 0) noted.completed();
      return item;
    },
    /** Looks for new data aboard and for silence on the line. */
    async look(isOver: () => boolean) {
      if (window.isSilent()) connection.destroy("the shore doesn't answer: the line is dead");
      objects?.look();
      noted.look();
      const news = await readers.call("shore_heads").catch(() => null);
      if (news !== null && !isOver()) aboard = { ...news, look: aboard.look + 1 };
      flights.wake();
    },
    note: noted.write,
  };
}

/** The sources in their order. One with damaged data pauses until the next hello. */
function openQueue({ state }: SessionParts) {
  let sources: readonly ShoreSource[] = [];
  const damaged = new Set<ShoreSource>();
  return {
    begin(next: readonly ShoreSource[]) {
      sources = next;
      damaged.clear();
    },
    wantsHello: () => sources.some((source) => source.wantsHello?.() === true),
    async next(isUrgentOnly: boolean): Promise<Item | null> {
      for (const source of sources) {
        if ((isUrgentOnly && !source.isUrgent) || damaged.has(source)) continue;
        const item = await source.next().catch((error) => {
          if (!(error instanceof StoredDamage)) throw error;
          damaged.add(source);
          const { what } = source;
          state.refusals.set(what, { what, reason: messageOf(error) });
          return null;
        });
        if (item !== null) return item;
      }
      return null;
    },
  };
}

interface FlightParts {
  readonly window: SendWindow;
  readonly blocked: Set<string>;
  readonly noted: ReturnType<typeof openNotes>;
}

/** Statements that were sent and wait for their answers. */
function openFlights(
  connection: ShoreConnection,
  parts: SessionParts,
  { window, blocked, noted }: FlightParts,
) {
  const { state, budget, box, objects } = parts;
  const flights = new Set<Promise<void>>();
  let isHelloDue = true;
  let refused: unknown = null;
  let wake = () => {};
  const failed = (item: Item, error: unknown) => {
    if (error instanceof ObjectsAway) return item.onAway?.();
    if (isKeyRefused(error)) refused ??= error;
    if (!REFUSED.test(codeOf(error) ?? "")) connection.destroy(messageOf(error));
    else if (judge(item, error, parts, blocked)) isHelloDue = true;
  };
  const stated = async (item: Item) => {
    const flight = window.sent(bytesOf(item.statement));
    await connection.put(box.instance, item.statement).finally(() => window.acknowledged(flight));
    item.onAcknowledged();
    noted.acknowledged(item);
    measure(parts, window);
    state.refusals.delete(item.chain ?? item.what);
  };
  return {
    isHelloDue: () => isHelloDue,
    areNone: () => flights.size === 0,
    greeted() {
      isHelloDue = false;
      blocked.clear();
    },
    send(item: Item) {
      const { statement, upload } = item;
      budget.take(bytesOf(statement) + (upload?.bytes.length ?? 0));
      const put =
        upload === undefined ? stated(item) : objects?.put(upload).then(() => stated(item));
      const landing = Promise.resolve(put)
        .catch((error) => failed(item, error))
        .finally(() => {
          flights.delete(landing);
          wake();
        });
      flights.add(landing);
    },
    /** Resolves when an answer has arrived, new data may be there, or the rate allows more. */
    turn(): Promise<void> {
      const wait_ms = budget.wait_ms();
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      return wait_ms > 0 ? Promise.race([woken, sleep(wait_ms)]) : woken;
    },
    wake: () => wake(),
    throwRefused() {
      if (refused !== null) throw refused;
    },
  };
}

function measure({ state, objects }: SessionParts, window: SendWindow): void {
  state.bandwidth_bytes_s = objects?.bandwidth_bytes_s() ?? window.bandwidth_bytes_s();
  state.round_trip_ms = window.round_trip_ms();
}
