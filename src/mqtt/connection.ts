// One connection to the ship's broker, from the attempt to its end; client.ts makes the next one.
// Each has a library client of its own: MQTT.js's own reconnecting would send an acknowledgement
// that was late for one connection on the next, where its packet id means another message.

import { connect, type IPublishPacket, type MqttClient } from "mqtt";
import type { Credentials } from "../certificate.ts";
import { SECOND_MS } from "../clock.ts";
import { brokerAddress } from "../config-values.ts";
import { codeOf, messageOf } from "../errors.ts";

export interface ConnectionOptions {
  readonly url: string;
  /** For TLS; null: the authorities that Node knows, and no certificate of our own. */
  readonly credentials: Credentials | null;
  readonly client_id: string;
  /** The filters to subscribe to. */
  readonly topics: readonly string[];
  /** Filters to drop from a session that has them. */
  readonly former_topics: readonly string[];
  /** kept: the broker keeps what comes while we are away; clean: it forgets us. */
  readonly session: "kept" | "clean";
  /** "": none is given. */
  readonly username: string;
  readonly password: string;
  /** Resolves when the packet may be acknowledged; a rejection ends the connection. */
  readonly receive: (packet: IPublishPacket) => Promise<void>;
  /** Connected and subscribed, with the lowest quality of service that the broker granted. */
  readonly onSubscribed: (granted: 0 | 1 | 2) => void;
}

/** Why a connection ended: the network, the broker's refusal, or a message not committed. */
export interface End {
  readonly kind: "lost" | "refused" | "withheld";
  readonly reason: string;
}

/** A dead broker is noticed after one and a half times this. */
const KEEPALIVE_S = 20;

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;

/** Above this nothing more is read: for QoS 0, and for brokers that send on unacknowledged. */
const IN_HAND_MAX = 1000;

/** How long the broker may take to close after our DISCONNECT. */
const FAREWELL_MS = 2 * SECOND_MS;

/** Given to the library in place of "done": it withholds its PUBACK and goes on. */
const NOT_DONE = new Error("acknowledged after the commit");

/**
 * Connects and subscribes in the background. Many messages share a commit: MQTT.js offers one
 * message at a time and acknowledges it when told that it is done, an fsync a message; so it is
 * told "not done" at once, and PUBACK is sent after the commit by its private `_sendPacket` (a
 * contract test watches that). Several connections on disjoint topics were rejected: nearly all
 * messages have one topic. No commit waits for a further message, so a broker that stops at 20
 * unacknowledged ones (Mosquitto) stalls nothing.
 */
export class Connection {
  /** Resolves when it has ended and nothing of it is in hand. */
  readonly ended: Promise<End>;
  readonly #options: ConnectionOptions;
  readonly #client: MqttClient;
  readonly #inHand = new Set<Promise<void>>();
  #finishing = false;
  #end: End | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { url, credentials, client_id, username, password } = options;
    this.#client = connect({
      ...brokerAddress(url),
      ...credentials,
      protocolVersion: 4,
      clientId: client_id,
      clean: options.session === "clean",
      ...(username === "" ? {} : { username, password }),
      keepalive: KEEPALIVE_S,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
    });
    this.#client.handleMessage = (packet, done) => this.#receive(packet, done);
    this.#client.on("connect", () => this.#subscribe());
    this.#client.on("error", (error) => this.#explain(endOf(error)));
    this.ended = new Promise<void>((resolve) => this.#client.once("close", resolve)).then(
      async () => {
        this.#finishing = true;
        await Promise.allSettled(this.#inHand);
        return this.#end ?? { kind: "lost", reason: "the connection was closed" };
      },
    );
  }

  /** Takes nothing more, acknowledges what is in hand, disconnects; resolves when it has ended. */
  async finish(): Promise<void> {
    if (this.#finishing) {
      await this.ended;
      return;
    }
    this.#finishing = true;
    await Promise.allSettled(this.#inHand);
    const overdue = setTimeout(() => this.#client.stream.destroy(), FAREWELL_MS);
    if (this.#client.connected) this.#client.end();
    else this.#client.end(true);
    await this.ended;
    clearTimeout(overdue);
  }

  #subscribe(): void {
    const { topics, former_topics, onSubscribed } = this.#options;
    if (former_topics.length > 0) this.#client.unsubscribe([...former_topics]);
    this.#client.subscribe([...topics], { qos: 1 }, (error, _grants, answer) => {
      if (this.#finishing) return;
      const granted = answer?.granted?.map(Number) ?? [];
      const refused = topics.filter((_topic, index) => !(granted[index] <= 2));
      if (error === null && refused.length === 0) onSubscribed(lowest(granted));
      else {
        const reason = `the broker refused the subscription to ${refused.join(", ")}`;
        if (answer) this.#explain({ kind: "refused", reason });
        void this.finish();
      }
    });
  }

  #receive(packet: IPublishPacket, done: (error?: Error) => void): void {
    if (this.#finishing) {
      done(NOT_DONE); // neither taken nor acknowledged: the broker sends it again
      return;
    }
    const handled = this.#handle(packet).then((committed) => {
      this.#inHand.delete(handled);
      // Subscribed with QoS 1, so nothing comes with QoS 2 but what an earlier program's session
      // left; the library's own handshake goes on after the commit.
      if (packet.qos === 2) done(committed ? undefined : NOT_DONE);
    });
    this.#inHand.add(handled);
    if (packet.qos === 2) return;
    if (this.#inHand.size < IN_HAND_MAX) done(NOT_DONE);
    else void Promise.race(this.#inHand).then(() => done(NOT_DONE));
  }

  async #handle(packet: IPublishPacket): Promise<boolean> {
    try {
      await this.#options.receive(packet);
    } catch (error) {
      this.#explain({ kind: "withheld", reason: `not committed: ${messageOf(error)}` });
      void this.finish();
      return false;
    }
    if (packet.qos === 1 && this.#client.connected)
      // biome-ignore lint/complexity/useLiteralKeys: private, TypeScript allows it only this way
      this.#client["_sendPacket"]({ cmd: "puback", messageId: packet.messageId });
    return true;
  }

  // The first reason is the cause, later ones follow from it.
  #explain(end: End): void {
    this.#end ??= end;
  }
}

function lowest(granted: readonly number[]): 0 | 1 | 2 {
  return granted.includes(0) ? 0 : granted.includes(1) ? 1 : 2;
}

// A refusal by CONNACK carries a number; a failed socket carries the system's code, and sometimes
// no message.
function endOf(error: Error): End {
  const refused = "code" in error && typeof error.code === "number";
  const reason = messageOf(error) || (codeOf(error) ?? "unknown");
  return { kind: refused ? "refused" : "lost", reason };
}
