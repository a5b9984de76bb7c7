// Client mode: ballastd subscribes at the ship's broker (such as Mosquitto) with a persistent
// session, so that the broker keeps messages while we are away. It reconnects for ever, after
// growing but limited pauses. A message that can't be committed isn't acknowledged: the connection
// is renewed, and the broker sends it again.

import { setTimeout as pause } from "node:timers/promises";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import type { Clock } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import { BrokerConnection, type ConnectionOptions, type LastWill } from "./connection.ts";
import type { MqttEndpoint, MqttStatus } from "./endpoint.ts";
import { receivedMessage, type Take } from "./endpoint.ts";
import type { Fault } from "./fault.ts";
import { Link } from "./link.ts";
import { OwnStatus, type StatusWord } from "./own-status.ts";
import { openSessionMemory, type SessionMemory } from "./session.ts";
import { isBrokerUp } from "./still-up.ts";
import { CLIENT_TIMING, type ClientTiming } from "./timing.ts";

export interface ClientOptions {
  /** mqtt://host:port or mqtts://host:port */
  readonly url: string;
  /** The authority that signed the broker's certificate, and our certificate; null for neither. */
  readonly certificate: WatchedCertificate | null;
  /** Must not change: the broker identifies the session by it. */
  readonly client_id: string;
  /** The filters: `<prefix>/<system id>/#` and those of the map. */
  readonly topics: readonly string[];
  /** "" sends no login. */
  readonly username: string;
  readonly password: string;
  /** The topic of our own status; it is published if `isWanted`. */
  readonly status: { readonly topic: string; readonly isWanted: boolean };
  /** The file that remembers the broker's session. */
  readonly session_file: string;
  readonly take: Take;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing?: Partial<ClientTiming>;
}

/** Starts to connect and resolves at once; `status().problem` holds any problem. Never throws. */
export async function openClient(options: ClientOptions): Promise<MqttEndpoint> {
  return new BrokerClient(options);
}

class BrokerClient implements MqttEndpoint {
  readonly #options: ClientOptions;
  readonly #timing: ClientTiming;
  readonly #memory: SessionMemory;
  readonly #link: Link;
  readonly #status: OwnStatus;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #counts = {
    connections_total: 0,
    reconnects_total: 0,
    sessions_lost_total: 0,
    shortened_messages_total: 0,
    messages_total: 0,
    withheld_total: 0,
  };
  #connection: BrokerConnection | null = null;
  #session_lost_ms: number | null = null;
  #isRenewing = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#timing = { ...CLIENT_TIMING, ...options.timing };
    this.#memory = openSessionMemory(options.session_file, options.log);
    const down = "not received from the ship's broker";
    this.#link = new Link({ ...options, down, steady_ms: this.#timing.steady_ms });
    this.#status = new OwnStatus({
      ...options.status,
      timing: this.#timing,
      log: options.log,
      publish: (onTaken) =>
        this.#connection?.publish({ ...this.#statusSaying("online"), qos: 1 }, onTaken),
      renew: () => {
        this.#isRenewing = true;
        void this.#connection?.finish();
      },
    });
    this.#running = this.#run();
  }

  status(): MqttStatus {
    const link = this.#link;
    return {
      mode: "client",
      connected: link.isUp,
      clients: link.isUp ? 1 : 0,
      where: this.#options.url,
      problem: this.#closing.signal.aborted ? "closed" : link.problem(),
      changed_ms: link.changed_ms,
      session_lost_ms: this.#session_lost_ms,
      login_refused: null,
      counts: { ...this.#counts, ...this.#status.counts },
      faults: { ...link.faults },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.finish();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pause_min_ms, pause_max_ms } = this.#timing;
    let pause_ms = pause_min_ms;
    while (!this.#closing.signal.aborted) {
      this.#connection = this.#connect();
      const fault = await this.#connection.ended;
      this.#status.ended(fault);
      if (this.#closing.signal.aborted) break;
      if (this.#isRenewing) {
        this.#isRenewing = false;
        this.#link.renewed();
        continue;
      }
      if (this.#link.isSteady) pause_ms = pause_min_ms;
      const judged = this.#link.ended(fault) === "maybe pushed out" ? this.#judge(fault) : null;
      // Rejects on closing, which the loop's condition tests.
      await pause(pause_ms, null, { signal: this.#closing.signal }).catch(() => null);
      if (this.#closing.signal.aborted) break;
      await judged;
      pause_ms = Math.min(2 * pause_ms, pause_max_ms);
    }
    this.#link.stop();
  }

  /** Our status as a retained message, which the broker keeps for later subscribers. */
  #statusSaying(word: StatusWord): LastWill {
    return { topic: this.#options.status.topic, payload: Buffer.from(word), retain: true };
  }

  async #judge(fault: Fault): Promise<void> {
    this.#link.closedBy(fault, { isStillUp: await isBrokerUp(this.#options.url) });
  }

  #connect(): BrokerConnection {
    const { url, certificate, client_id, topics, username, password } = this.#options;
    return new BrokerConnection({
      ...{ url, client_id, topics, username, password, timing: this.#timing },
      credentials: certificate?.credentials() ?? null,
      will: this.#status.offer() ? this.#statusSaying("offline") : null,
      session: "kept",
      receive: (packet, length) => this.#receive(packet, length),
      onSession: (present) => this.#meetSession(present),
      onSubscribed: (grants) => {
        const wasUp = this.#link.isUp;
        this.#link.subscribed(grants);
        if (wasUp || !this.#link.isUp) return;
        if (this.#counts.connections_total > 0) this.#counts.reconnects_total += 1;
        this.#counts.connections_total += 1;
        this.#status.up();
      },
      onUnsubscribed: () => this.#memory.save({ url, client_id, topics: [...topics] }),
    });
  }

  readonly #receive: ConnectionOptions["receive"] = async (packet, length) => {
    const { take, clock, status } = this.#options;
    const { topic, payload, retain: isRetained } = packet;
    if (topic === status.topic && this.#status.hear(payload.toString(), { isRetained })) return;
    const receipt = { client: "", will: false, received_ms: clock.now_ms() };
    const message = receivedMessage(packet, receipt);
    if (length !== null) this.#counts.shortened_messages_total += 1;
    try {
      await take(length === null ? message : { ...message, payload_bytes: length });
      this.#counts.messages_total += 1;
    } catch (error) {
      this.#counts.withheld_total += 1;
      throw error;
    }
  };

  // Subscriptions of an earlier configuration stay in the broker's session until they are removed.
  // They are saved before SUBSCRIBE is sent, so that a power cut can't hide them.
  #meetSession(isPresent: boolean): readonly string[] {
    const { url, client_id, topics, clock, log } = this.#options;
    const remembered = this.#memory.topicsOf(url, client_id);
    if (!isPresent && remembered !== null) {
      this.#counts.sessions_lost_total += 1;
      this.#session_lost_ms = clock.now_ms();
      this.#link.sessionLost();
      if (!this.#link.isUnsteady)
        log.warn("the broker has lost our session and its messages", {
          url,
          client_id,
        });
    }
    const stale = isPresent ? (remembered ?? []).filter((topic) => !topics.includes(topic)) : [];
    this.#memory.save({ url, client_id, topics: [...topics, ...stale] });
    if (stale.length > 0) log.info("unsubscribing from what isn't configured any more", { stale });
    return stale;
  }
}
