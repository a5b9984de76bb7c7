// Client mode: ballastd subscribes at the ship's broker (Mosquitto, say) with a persistent session,
// so that the broker keeps what comes while we are away, and connects again for ever. A message
// that can't be committed is not acknowledged: the connection is made anew after a growing pause,
// and the broker sends it again. MQTT 3.1.1 has no limit on what a broker may send, and a message
// refused here would be sent again for ever: `message_size_limit` is set at the broker.

import { setTimeout as pause } from "node:timers/promises";
import type { WatchedCertificate } from "../certificate-watch.ts";
import { type Clock, printTime, SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import { Connection, type End } from "./connection.ts";
import { receivedMessage, type Take } from "./receipt.ts";
import type { MqttDoor, MqttStatus } from "./status.ts";

export interface ClientOptions {
  /** mqtt://host:port or mqtts://host:port */
  readonly url: string;
  /** The authority that signs the broker, the certificate that is shown to it; null: neither. */
  readonly certificate: WatchedCertificate | null;
  /** Fixed: the broker knows the session by it. */
  readonly client_id: string;
  /** The filters: `<prefix>/<system id>/#` and those of the map. */
  readonly topics: readonly string[];
  /** Filters of earlier configurations, which the broker still has in the session. */
  readonly former_topics: readonly string[];
  /** "": none is given. */
  readonly username: string;
  readonly password: string;
  readonly take: Take;
  readonly clock: Clock;
  readonly log: Log;
}

/** The pause before the next attempt; doubled each time, to at most PAUSE_MAX_MS. */
const PAUSE_MIN_MS = SECOND_MS;
const PAUSE_MAX_MS = 30 * SECOND_MS;

/** Begins to connect and resolves at once; `status().problem` tells what is wrong. Never throws. */
export async function openClient(options: ClientOptions): Promise<MqttDoor> {
  return new BrokerClient(options);
}

class BrokerClient implements MqttDoor {
  readonly #options: ClientOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #counts = {
    connections_total: 0,
    refused_connections_total: 0,
    messages_total: 0,
    withheld_total: 0,
  };
  #connection: Connection | null = null;
  #subscribed = false;
  #problem: string | null;
  #disconnected_ms: number;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#disconnected_ms = options.clock.now_ms();
    this.#problem = this.#notConnected("connecting");
    this.#running = this.#run();
  }

  status(): MqttStatus {
    return {
      mode: "client",
      connected: this.#subscribed,
      clients: this.#subscribed ? 1 : 0,
      where: this.#options.url,
      problem: this.#problem,
      counts: { ...this.#counts },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.finish();
    await this.#running;
    this.#problem = "closed";
  }

  async #run(): Promise<void> {
    let pause_ms = PAUSE_MIN_MS;
    while (!this.#closing.signal.aborted) {
      this.#connection = this.#connect();
      const end = await this.#connection.ended;
      const worked = this.#subscribed && end.kind !== "withheld";
      if (this.#subscribed) this.#disconnected_ms = this.#options.clock.now_ms();
      this.#subscribed = false;
      if (this.#closing.signal.aborted) return;
      if (worked) pause_ms = PAUSE_MIN_MS;
      this.#report(end, pause_ms);
      // Rejects when closing, which the loop's condition sees.
      await pause(pause_ms, null, { signal: this.#closing.signal }).catch(() => null);
      pause_ms = Math.min(2 * pause_ms, PAUSE_MAX_MS);
    }
  }

  #connect(): Connection {
    const { take, clock, log, url, certificate, ...login } = this.#options;
    return new Connection({
      url,
      credentials: certificate?.credentials() ?? null,
      ...login,
      session: "kept",
      receive: async (packet) => {
        const receipt = { client: "", will: false, received_ms: clock.now_ms() };
        try {
          await take(receivedMessage(packet, receipt));
          this.#counts.messages_total += 1;
        } catch (error) {
          this.#counts.withheld_total += 1;
          throw error;
        }
      },
      onSubscribed: (granted) => {
        this.#subscribed = true;
        this.#counts.connections_total += 1;
        // Worse than asked, but better than nothing: it is used, and said.
        this.#problem =
          granted === 0 ? "the broker granted QoS 0 only: messages can be lost on the way" : null;
        log.info("subscribed at the broker", { url, topics: login.topics, granted_qos: granted });
      },
    });
  }

  #report(end: End, pause_ms: number): void {
    const { log, url } = this.#options;
    this.#problem = this.#notConnected(end.reason);
    const fields = { url, reason: end.reason, pause_ms };
    if (end.kind === "refused") {
      this.#counts.refused_connections_total += 1;
      log.error("refused by the broker", fields);
    } else if (end.kind === "withheld")
      log.warn("message not acknowledged: it could not be committed", fields);
    else log.warn("not connected to the broker", fields);
  }

  #notConnected(reason: string): string {
    return `not connected since ${printTime(this.#disconnected_ms)}: ${reason}`;
  }
}
