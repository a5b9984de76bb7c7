// One connection to the ship's broker, from the attempt to its end; client.ts makes the next one.
// Each has a library client of its own: MQTT.js's own reconnecting would send an acknowledgement
// that was late for one connection on the next, where its packet id means another message. Its
// keep-alive is left out too: it can't tell a slow link from a dead one (pulse.ts).

import { type IPublishPacket, MqttClient } from "mqtt";
import type { Credentials } from "../config/certificate.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import { Debts } from "./debts.ts";
import { closedAt, type Fault, faultOf, overdueAt, type Stage } from "./fault.ts";
import type { Grant } from "./link.ts";
import { type Pulse, startPulse } from "./pulse.ts";
import { brokerSocket, inbound, Shortener } from "./shorten.ts";
import { type ClientTiming, KEEPALIVE_S } from "./timing.ts";

export interface ConnectionOptions {
  readonly url: string;
  /** For TLS; null: Node's own authorities, and no certificate of ours. */
  readonly credentials: Credentials | null;
  readonly client_id: string;
  /** The filters to subscribe to. */
  readonly topics: readonly string[];
  /** kept: the broker keeps messages while we are away; clean: it forgets us. */
  readonly session: "kept" | "clean";
  /** "" sends no login. */
  readonly username: string;
  readonly password: string;
  readonly timing: ClientTiming;
  /**
   * Our last will: the broker publishes it when the link breaks, we before we leave. Null: none.
   */
  readonly will: LastWill | null;
  /** Resolves when the packet may be acknowledged; a rejection ends the connection. */
  readonly receive: (packet: IPublishPacket, length: PayloadLength) => Promise<void>;
  /** At CONNACK: `present` if the broker has our session. Returns the filters to remove from it. */
  readonly onSession: (present: boolean) => readonly string[];
  /** At SUBACK: the granted filters. A refused one is tried again, and reported again. */
  readonly onSubscribed: (grants: readonly Grant[]) => void;
  /** Called when the filters are removed. */
  readonly onUnsubscribed: () => void;
}

/** A message that others get when we have gone, QoS 1. */
export interface LastWill {
  readonly topic: string;
  readonly payload: Buffer;
  readonly retain: boolean;
}

/** A message that ballastd publishes. */
export interface SentMessage extends LastWill {
  readonly qos: 0 | 1;
}

/** Length of a payload on the wire in bytes, if it was shortened; else null. */
export type PayloadLength = number | null;

/**
 * Limits of messages in hand, above which nothing more is read: for QoS 0, and for brokers that
 * ignore acknowledgements.
 */
const IN_HAND_MAX = 1000;
const IN_HAND_MAX_BYTES = 16 * 1024 * 1024;

/** Time limit for the broker to close the connection after our DISCONNECT. */
const FAREWELL_MS = 2 * SECOND_MS;

/** Error given to the library in place of "done", so that it withholds its PUBACK and goes on. */
const NOT_DONE = new Error("acknowledged after the commit");

/** Replaces the library's keep-alive timer. */
const NO_TIMER = { set: () => 0, clear: () => null };

/**
 * Connects and subscribes in the background. Many messages share a commit: MQTT.js offers one
 * message at a time and acknowledges it when told that it is done, an fsync a message; so it is
 * told "not done" at once, and PUBACK is sent after the commit by its private `_sendPacket` (a
 * contract test watches that). Several connections on disjoint topics were rejected: nearly all
 * messages have one topic. No commit waits for a further message, so a broker that stops at 20
 * unacknowledged ones (Mosquitto) stalls nothing.
 */
export class BrokerConnection {
  /** Resolves with the reason when the connection has ended and all its messages are settled. */
  readonly ended: Promise<Fault>;
  readonly #options: ConnectionOptions;
  readonly #client: MqttClient;
  readonly #shortener = new Shortener();
  readonly #pulse: Pulse;
  readonly #inHand = new Set<Promise<void>>();
  #inHand_bytes = 0;
  readonly #lengths = new WeakMap<IPublishPacket, number>();
  #published = 0;
  #stage: Stage = "connecting";
  #deadline: NodeJS.Timeout;
  #again: NodeJS.Timeout | null = null;
  #finishing = false;
  #fault: Fault | null = null;
  #hasPublished = false;
  readonly #debts = new Debts();
  /** Bytes of our own messages that the socket hasn't taken. */
  #sending_bytes = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#client = this.#connect();
    this.#deadline = this.#startDeadline();
    this.#pulse = startPulse({
      ...options.timing,
      ping: () => this.#client.connected && this.#client.sendPing(),
      isReading: () => this.#client.connected && this.#mayReadOn(),
      onDead: (reason) => this.#fail({ kind: "silent", reason: `the broker is silent: ${reason}` }),
    });
    this.ended = new Promise<void>((resolve) => this.#client.once("close", resolve)).then(
      async () => {
        const end = this.#fault ?? this.#hinted(closedAt(this.#stage));
        this.#finishing = true;
        this.#pulse.stop();
        clearTimeout(this.#deadline);
        if (this.#again !== null) clearTimeout(this.#again);
        await Promise.allSettled(this.#inHand);
        return this.#fault ?? end;
      },
    );
  }

  /** Stops taking messages, acknowledges those received, disconnects; resolves at the end. */
  async finish(): Promise<void> {
    if (this.#finishing) {
      await this.ended;
      return;
    }
    this.#finishing = true;
    await Promise.allSettled(this.#inHand);
    if (this.#hasPublished) await this.#sayFarewell();
    const overdue = setTimeout(() => this.#client.stream.destroy(), FAREWELL_MS);
    if (this.#client.connected) this.#client.end();
    else this.#client.end(true);
    await this.ended;
    clearTimeout(overdue);
  }

  /**
   * Publishes a message, while there is a connection. `onTaken` is called when the broker has taken
   * it; of QoS 0, when the socket has.
   */
  publish({ topic, payload, ...options }: SentMessage, onTaken: () => void = () => {}): void {
    if (!this.#client.connected) return;
    this.#hasPublished = true;
    this.#sending_bytes += payload.length;
    this.#client.publish(topic, payload, options, (error) => {
      this.#sending_bytes -= payload.length;
      if (!error) onTaken();
    });
  }

  /** Publishes the last will before we disconnect, because DISCONNECT makes the broker drop it. */
  async #sayFarewell(): Promise<void> {
    const { will } = this.#options;
    if (will === null) return;
    const taken = Promise.withResolvers<void>();
    const overdue = setTimeout(taken.resolve, FAREWELL_MS);
    this.publish({ ...will, qos: 1 }, taken.resolve);
    await Promise.race([taken.promise, this.ended]);
    clearTimeout(overdue);
  }

  #connect(): MqttClient {
    const { url, credentials, client_id, session, username, password, will } = this.#options;
    const socket = brokerSocket(url, credentials);
    socket.once("connect", () => {
      this.#stage = "greeting";
    });
    const client = new MqttClient(
      () => inbound(socket, this.#shortener, () => this.#pulse.heard()),
      {
        protocolVersion: 4,
        clientId: client_id,
        clean: session === "clean",
        ...(username === "" ? {} : { username, password }),
        ...(will !== null && { will: { ...will, qos: 1 as const } }),
        keepalive: KEEPALIVE_S,
        timerVariant: NO_TIMER,
        connectTimeout: 2 * this.#options.timing.answer_ms, // our own limit is shorter
        reconnectPeriod: 0,
        resubscribe: false,
        queueQoSZero: false,
      },
    );
    client.handleMessage = (packet, done) => this.#receive(packet, done);
    client.on("packetsend", (packet) => this.#debts.sent(packet));
    client.on("packetreceive", (packet) => {
      if (packet.cmd === "pingresp") this.#pulse.answered();
      const unread_bytes = client.stream.writableLength - this.#sending_bytes;
      const fault = this.#debts.count(packet, unread_bytes);
      if (fault !== null) this.#fail(fault);
      if (packet.cmd !== "publish") return;
      this.#published += 1;
      const length = this.#shortener.takeLength(this.#published);
      if (length !== null) this.#lengths.set(packet, length);
    });
    client.on("connect", ({ sessionPresent }) => this.#greeted(sessionPresent));
    client.on("error", (error) => this.#fail(faultOf(error, this.#stage)));
    client.stream.on("error", (error) => this.#fail(faultOf(error, this.#stage)));
    return client;
  }

  #greeted(sessionPresent: boolean): void {
    this.#stage = "subscribing";
    const { topics, onSession, onUnsubscribed } = this.#options;
    const stale = onSession(sessionPresent);
    this.#subscribe(topics);
    if (stale.length > 0)
      this.#client.unsubscribe([...stale], (error) => {
        if (!error && !this.#finishing) onUnsubscribed();
      });
  }

  #subscribe(topics: readonly string[]): void {
    clearTimeout(this.#deadline);
    this.#deadline = this.#startDeadline();
    this.#client.subscribe([...topics], { qos: 1 }, (_error, _grants, answer) => {
      if (this.#finishing) return;
      clearTimeout(this.#deadline);
      if (answer?.granted?.length !== topics.length) {
        this.#fail({ kind: "malformed", reason: "SUBACK doesn't match the SUBSCRIBE" });
        return;
      }
      this.#stage = "subscribed";
      const grants = topics.map((topic, at) => ({ topic, qos: grantOf(answer.granted[at]) }));
      this.#options.onSubscribed(grants);
      const refused = grants.filter(({ qos }) => qos === null).map(({ topic }) => topic);
      const { subscribe_again_ms } = this.#options.timing;
      if (refused.length > 0)
        this.#again = setTimeout(() => this.#subscribe(refused), subscribe_again_ms);
    });
  }

  #receive(packet: IPublishPacket, done: (error?: Error) => void): void {
    if (this.#finishing) {
      done(NOT_DONE); // neither taken nor acknowledged: the broker sends it again
      return;
    }
    const length = packet.topic.length + packet.payload.length;
    this.#inHand_bytes += length;
    const handled = this.#handle(packet).then((committed) => {
      this.#inHand.delete(handled);
      this.#inHand_bytes -= length;
      // With subscriptions of QoS 1, QoS 2 comes only from an earlier program's session; the
      // library's handshake continues after the commit.
      if (packet.qos === 2) done(committed ? undefined : NOT_DONE);
    });
    this.#inHand.add(handled);
    if (packet.qos === 2) return;
    if (this.#mayReadOn()) done(NOT_DONE);
    else void Promise.race(this.#inHand).then(() => done(NOT_DONE));
  }

  #mayReadOn(): boolean {
    return this.#inHand.size < IN_HAND_MAX && this.#inHand_bytes < IN_HAND_MAX_BYTES;
  }

  async #handle(packet: IPublishPacket): Promise<boolean> {
    try {
      await this.#options.receive(packet, this.#lengths.get(packet) ?? null);
    } catch (error) {
      this.#fault ??= { kind: "withheld", reason: `not committed: ${messageOf(error)}` };
      void this.finish();
      return false;
    }
    if (packet.qos === 1 && this.#client.connected)
      // biome-ignore lint/complexity/useLiteralKeys: private, TypeScript allows it only this way
      this.#client["_sendPacket"]({ cmd: "puback", messageId: packet.messageId });
    return true;
  }

  /** Starts the time limit for an answer: CONNACK after the attempt, or SUBACK after SUBSCRIBE. */
  #startDeadline(): NodeJS.Timeout {
    const { answer_ms } = this.#options.timing;
    return setTimeout(() => this.#fail(overdueAt(this.#stage, answer_ms)), answer_ms);
  }

  // The first fault is the cause, later ones follow from it. No DISCONNECT is sent.
  #fail(fault: Fault): void {
    this.#fault ??= this.#hinted(fault);
    this.#client.stream.destroy();
  }

  // TLS 1.3 checks our certificate last; a broker that then closes may not send the reason.
  #hinted(fault: Fault): Fault {
    const isAsking = fault.kind === "closed" && this.#stage === "greeting";
    if (!isAsking || this.#options.credentials?.cert === undefined) return fault;
    return { ...fault, reason: `${fault.reason}: does the broker accept our certificate?` };
  }
}

function grantOf(code: unknown): Grant["qos"] {
  return code === 0 || code === 1 || code === 2 ? code : null;
}
