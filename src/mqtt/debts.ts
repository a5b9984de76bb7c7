// Limits what a broker can take without sending a message: memory, by QoS 2 messages that it never
// releases, which the library stores until then, and by our answers that it never reads; and time,
// by answers that nothing asked for. None has a limit in MQTT 3.1.1; here each ends the connection.

import type { Packet } from "mqtt";
import type { Fault } from "./fault.ts";

/** Maximum number of unreleased messages. Brokers with a limit keep to 20, as Mosquitto does. */
const UNRELEASED_MAX = 1000;
const UNRELEASED_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Maximum bytes of our answers that wait for the socket, beyond what the system buffers: four bytes
 * each.
 */
const UNREAD_MAX_BYTES = 256 * 1024;

/**
 * Maximum number of packets, other than messages, beyond what was asked for. Of two bytes each, a
 * broker sends them so fast that no page is answered meanwhile.
 */
const UNASKED_MAX = 1000;

export class Debts {
  /** Bytes of the stored messages of QoS 2, by packet id. */
  readonly #unreleased = new Map<number, number>();
  #unreleased_bytes = 0;
  #unasked = 0;

  /** Counts a packet that we sent, if the broker answers it. */
  sent(packet: Packet): void {
    const isMessage = packet.cmd === "publish" && packet.qos > 0;
    const isRequest = ["pingreq", "subscribe", "unsubscribe", "pubrec"].includes(packet.cmd);
    if (isMessage || isRequest) this.#unasked -= 1;
  }

  /** Counts a received packet. `unread_bytes` wait for the socket. Returns the fault at a limit. */
  count(packet: Packet, unread_bytes: number): Fault | null {
    if (packet.cmd === "publish" && packet.qos === 2) {
      // A repetition, with the PUBREC that it gets, counts as unasked: a broker that sent messages
      // of 500 ids again and again was at no limit, and kept the plant waiting.
      if (this.#unreleased.has(packet.messageId ?? 0)) this.#unasked += 2;
      this.#store(packet.messageId ?? 0, packet.topic.length + packet.payload.length);
    }
    if (packet.cmd !== "publish") this.#unasked += 1;
    if (this.#unasked > UNASKED_MAX)
      return {
        kind: "malformed",
        reason: `the broker sends answers that nothing asked for, the last a ${packet.cmd}`,
      };
    if (packet.cmd === "pubrel") this.#store(packet.messageId ?? 0, 0);
    if (this.#unreleased.size > UNRELEASED_MAX || this.#unreleased_bytes > UNRELEASED_MAX_BYTES)
      return {
        kind: "malformed",
        reason:
          `the broker releases none of ${this.#unreleased.size} messages of QoS 2 ` +
          `(${this.#unreleased_bytes} bytes)`,
      };
    return unread_bytes > UNREAD_MAX_BYTES
      ? { kind: "silent", reason: "the broker sends, but doesn't read our answers" }
      : null;
  }

  #store(id: number, bytes: number): void {
    this.#unreleased_bytes += bytes - (this.#unreleased.get(id) ?? 0);
    if (bytes === 0) this.#unreleased.delete(id);
    else this.#unreleased.set(id, bytes);
  }
}
