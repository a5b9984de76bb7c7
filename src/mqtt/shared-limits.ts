// Limits shared by all connections to the embedded broker: buffered bytes of unfinished packets,
// and messages of each publisher that wait for the disk. A publisher's share depends on how many
// have messages waiting, so that a good publisher's message never waits long behind a flood; whose
// flood it is, the log says. The number of connections is limited in admission.ts.

import { countedAddress } from "../ground/admission.ts";
import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import type { Fields, Log } from "../ground/log.ts";
import { openRepeatFilter } from "../ground/repeat-filter.ts";

export interface BrokerLimits {
  /**
   * Maximum number of connections. One PLC needs one; at the limit, one that published nothing is
   * closed. With HTTP's connections and ballastd's own it is below the unit's LimitNOFILE, else the
   * system would refuse connections before the admission makes room.
   */
  readonly connections_max: number;
  /** Maximum number of connections from one address: a gateway may carry every pump of a ship. */
  readonly connections_address_max: number;
  /** Time limit for CONNECT. A PLC sends it at once; a port scanner never does. */
  readonly connect_ms: number;
  /** Time limit from a packet's first byte to its last: 4 MiB at 70 kB/s, a reading on any line. */
  readonly packet_ms: number;
  /** Time that a client may leave its acknowledgements unread once its buffers are full. */
  readonly unread_ms: number;
  /**
   * Maximum bytes of unfinished packets over all connections; above it, the connection with the
   * most is closed.
   */
  readonly unfinished_max_bytes: number;
  /** Maximum bytes of messages waiting for their commit, for the only publisher that has any. */
  readonly in_hand_max_bytes: number;
  /**
   * The same for all publishers that have some, divided equally among them. A good message may have
   * to wait behind them: garbage is stored too, some thousand messages a second.
   */
  readonly in_hand_shared_bytes: number;
  /**
   * Maximum number of QoS 2 messages between PUBLISH and PUBREL, over all connections: some 30 MB.
   */
  readonly half_done_max: number;
}

export const BROKER_LIMITS: BrokerLimits = {
  connections_max: 2048,
  connections_address_max: 32,
  connect_ms: 30 * SECOND_MS,
  packet_ms: MINUTE_MS,
  unread_ms: 30 * SECOND_MS,
  unfinished_max_bytes: 64 * 1024 * 1024,
  in_hand_max_bytes: 1024 * 1024,
  in_hand_shared_bytes: 48 * 1024,
  half_done_max: 100_000,
};

/** Minimum share of a publisher, however many there are: a packet or a few, so that none stalls. */
const SHARE_MIN_BYTES = 4 * 1024;

/** One connection, as the limiter uses it. */
export interface LimitedConnection {
  /** Notes that time has passed, in ms. */
  tick(elapsed_ms: number): void;
  /** Closes the connection in favour of others. */
  giveWay(): void;
  /** True while it sends more than is read. */
  readonly isHeldBack: boolean;
  readonly admitted: { readonly address: string };
  /** Fields for the log: the publisher's name and its address. */
  readonly fields: Fields;
}

/**
 * Number of ticks in a row at which a publisher was held back, from which the log names it. A
 * backlog after a silence has mostly passed by then.
 */
const HELD_BACK_TICKS = 5;

/** Unit of measured waits; a stall of our own process counts as one tick. */
const TICK_MS = SECOND_MS;

export class SharedLimits {
  readonly limits: BrokerLimits;
  /** Connections, each with the bytes of its unfinished packet. */
  readonly #connections = new Map<LimitedConnection, number>();
  readonly #ticking: NodeJS.Timeout;
  #unfinished_bytes = 0;
  #holders = 0;
  /** Number of ticks in a row at which a connection was held back. */
  readonly #heldBack = new WeakMap<LimitedConnection, number>();
  readonly #log: Log;
  readonly #isWorthALine = openRepeatFilter(MINUTE_MS);

  constructor(limits: BrokerLimits, log: Log) {
    this.limits = limits;
    this.#log = log;
    const tick_ms = Math.min(TICK_MS, limits.connect_ms / 2, limits.packet_ms / 2);
    this.#ticking = setInterval(() => {
      for (const connection of [...this.#connections.keys()]) {
        connection.tick(tick_ms);
        this.#nameFlood(connection);
      }
    }, tick_ms);
  }

  join(connection: LimitedConnection): void {
    this.#connections.set(connection, 0);
  }

  leave(connection: LimitedConnection): void {
    this.#unfinished_bytes -= this.#connections.get(connection) ?? 0;
    this.#connections.delete(connection);
  }

  /** Notes the buffered bytes of a connection's unfinished packet. */
  buffered(connection: LimitedConnection, bytes: number): void {
    const before_bytes = this.#connections.get(connection);
    if (before_bytes === undefined || before_bytes === bytes) return;
    this.#connections.set(connection, bytes);
    this.#unfinished_bytes += bytes - before_bytes;
    while (this.#unfinished_bytes > this.limits.unfinished_max_bytes) this.#dismissLargest();
  }

  /** Counts one more (1) or one fewer (-1) connection with messages that wait for their commit. */
  changeHolders(change: 1 | -1): void {
    this.#holders += change;
  }

  /** Maximum bytes that each publisher may now have waiting for a commit. */
  share_bytes(): number {
    const { in_hand_max_bytes, in_hand_shared_bytes } = this.limits;
    if (this.#holders <= 1) return in_hand_max_bytes;
    return Math.max(SHARE_MIN_BYTES, in_hand_shared_bytes / this.#holders);
  }

  close(): void {
    clearInterval(this.#ticking);
  }

  // Receiving goes on for all others: without this line nobody learns who takes their place.
  #nameFlood(connection: LimitedConnection): void {
    const ticks = connection.isHeldBack ? (this.#heldBack.get(connection) ?? 0) + 1 : 0;
    this.#heldBack.set(connection, ticks);
    if (ticks < HELD_BACK_TICKS) return;
    if (!this.#isWorthALine(countedAddress(connection.admitted.address))) return;
    this.#log.warn("a publisher sends faster than the disk takes", connection.fields);
  }

  #dismissLargest(): void {
    let largest: LimitedConnection | null = null;
    let most_bytes = 0;
    for (const [connection, bytes] of this.#connections)
      if (bytes > most_bytes) {
        largest = connection;
        most_bytes = bytes;
      }
    if (largest === null) return;
    this.leave(largest);
    largest.giveWay();
  }
}
