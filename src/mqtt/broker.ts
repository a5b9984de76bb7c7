// The embedded broker: a PLC connects straight to ballastd. It only listens: every SUBSCRIBE is
// refused, nothing is forwarded, retained or queued. A message is committed inside aedes's
// authorizePublish, which runs before PUBACK (QoS 1) and PUBREC (QoS 2), for many packets at once;
// its error drops the connection, and the PLC sends again. Socket limits: guard.ts.

import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  Aedes,
  type AuthenticateError,
  type Client,
  type ConnectPacket,
  type PublishPacket,
} from "aedes";
import type { Happening } from "../bwts/audit.ts";
import type { Message } from "../bwts/message.ts";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import { type Listening, type Missing, openListening } from "../config/listening.ts";
import type { Listen } from "../config/values.ts";
import { type Admission, type AdmittedSocket, openAdmission } from "../ground/admission.ts";
import type { Clock } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Fields, Log } from "../ground/log.ts";
import { acceptingServer } from "./accept.ts";
import { type Logins, openLogins, shortName as short } from "./authenticate.ts";
import type { MqttEndpoint, MqttStatus } from "./endpoint.ts";
import { receivedMessage, type Take } from "./endpoint.ts";
import { CLOSE_COUNTS, Guard } from "./guard.ts";
import { Handshakes } from "./handshakes.ts";
import { openRegulars, type Regulars } from "./regulars.ts";
import { BROKER_LIMITS, type BrokerLimits, SharedLimits } from "./shared-limits.ts";

export interface BrokerOptions {
  readonly listen: readonly Listen[];
  readonly missing: Missing;
  /** For TLS; with an authority, publishers must show a certificate too. Null: plain TCP. */
  readonly certificate: WatchedCertificate | null;
  /** "" accepts any login. */
  readonly username: string;
  readonly password: string;
  readonly take: Take;
  /** Called after CONNECT; and before a will is taken. `publisher`: client id, else address. */
  readonly onConnected: (publisher: string) => void;
  readonly onWill: (publisher: string) => void;
  /** Writes into the audit log; repetitions become a count. */
  readonly note: (happening: Happening) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<BrokerLimits>;
}

/** aedes's heartbeat, for clusters: the longest that its timer of four beats allows, 24 days. */
const HEARTBEAT_MS = 2 ** 29 - 1;

/** Listens and takes publishers' messages; `missing` handles an address that can't be bound. */
export async function openBroker(options: BrokerOptions): Promise<MqttEndpoint> {
  const broker = new Broker(options);
  await broker.open();
  return broker;
}

class Broker implements MqttEndpoint {
  readonly #options: BrokerOptions;
  readonly #shared: SharedLimits;
  readonly #handshakes: Handshakes;
  readonly #aedes: Aedes;
  #listening: Listening | null = null;
  /** The connections whose socket is open. */
  readonly #guards = new Set<Guard>();
  readonly #logins: Logins;
  readonly #admission: Admission;
  readonly #regulars: Regulars;
  readonly #inHand = new Set<Promise<void>>();
  readonly #counts = {
    ...{ connections_total: 0, refused_connections_total: 0, refused_subscriptions_total: 0 },
    ...{ refused_topics_total: 0, oversized_packets_total: 0, foreign_connections_total: 0 },
    ...{ slow_connections_total: 0, crowded_out_connections_total: 0 },
    ...{ messages_total: 0, withheld_total: 0 },
  };
  #changed_ms: number;
  #closing = false;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#changed_ms = options.clock.now_ms();
    this.#shared = new SharedLimits({ ...BROKER_LIMITS, ...options.limits }, options.log);
    this.#regulars = openRegulars(this.#shared.limits);
    this.#admission = openAdmission({
      total_max: this.#shared.limits.connections_max,
      address_max: this.#shared.limits.connections_address_max,
      isRegular: this.#regulars.hasAddress,
      onRefused: ({ remote }) => this.#refuse("connection closed: too many", { remote }),
    });
    this.#handshakes = new Handshakes(this.#shared.limits.half_done_max);
    this.#logins = openLogins(options);
    this.#aedes = new Aedes({
      persistence: this.#handshakes,
      heartbeatInterval: HEARTBEAT_MS,
      connectTimeout: this.#shared.limits.connect_ms,
      drainTimeout: this.#shared.limits.unread_ms,
      maxInflightInbound: 0, // handshakes.ts bounds them over all connections
      preConnect: (client, packet: ConnectPacket, done) => {
        guardOf(client).connecting(packet);
        done(null, true);
      },
      authenticate: (client, _username, _password, done) => {
        this.#refusal(client).then((refusal) => done(refusal, refusal === null));
      },
      authorizePublish: (client, packet, done) => this.#publish(client, packet, done),
      authorizeSubscribe: (client, subscription, done) => {
        this.#counts.refused_subscriptions_total += 1;
        const fields = { ...guardOf(client).fields, topic: short(subscription.topic) };
        this.#options.log.warn("subscription refused: ballastd only listens", fields);
        done(null, null); // SUBACK 0x80
      },
      authorizeForward: () => null,
    });
  }

  async open(): Promise<void> {
    this.#report();
    await this.#aedes.listen();
    try {
      this.#listening = await openListening({
        section: "mqtt",
        listen: this.#options.listen,
        missing: this.#options.missing,
        make: () =>
          acceptingServer({
            certificate: this.#options.certificate,
            admission: this.#admission,
            onSocket: (socket, admitted) => this.#connect(socket, admitted),
            onFailed: (remote, reason) =>
              this.#refuse("connection refused: TLS", { remote, reason }),
          }),
        onLate: () => {
          this.#changed_ms = this.#options.clock.now_ms();
        },
        log: this.#options.log,
      });
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  status(): MqttStatus {
    const addresses = this.#listening?.addresses() ?? [];
    const problems = this.#listening?.problems() ?? [];
    return {
      mode: "embedded",
      connected: addresses.length > 0 && !this.#closing,
      clients: this.#aedes.connectedClients,
      where: addresses.join(", "),
      problem: this.#closing ? "closed" : problems.join("; ") || null,
      changed_ms: this.#changed_ms,
      session_lost_ms: null,
      login_refused: this.#logins.refused(),
      counts: { ...this.#counts },
      faults: {},
    };
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    const closed = this.#listening?.close();
    this.#admission.cut("unsettled"); // they have no message in hand
    for (const guard of this.#guards) guard.stop();
    await Promise.allSettled(this.#inHand);
    await nextTurn(); // the last acknowledgements leave the library's buffers
    await new Promise<void>((resolve) => this.#aedes.close(() => resolve()));
    for (const guard of this.#guards) guard.destroy();
    this.#shared.close();
    await closed;
  }

  #connect(socket: Socket, admitted: AdmittedSocket): void {
    if (this.#closing) {
      socket.destroy();
      return;
    }
    this.#counts.connections_total += 1;
    const guard = new Guard(socket, {
      admitted,
      shared: this.#shared,
      onConnect: () => this.#aedes.handle(guard),
      onRefused: (refusal, detail) => {
        this.#counts[CLOSE_COUNTS[refusal]] += 1;
        const fields = { remote: admitted.remote, detail };
        this.#options.log.warn(`connection closed: ${refusal}`, fields);
      },
    });
    this.#guards.add(guard);
    socket.once("close", () => this.#guards.delete(guard));
  }

  #refuse(text: string, fields: Fields): void {
    this.#counts.refused_connections_total += 1;
    this.#options.log.warn(text, fields);
  }

  /** Checks the login; null if the client is accepted, else the refusal. */
  async #refusal(client: Client): Promise<AuthenticateError | null> {
    const guard = guardOf(client);
    const { address } = guard.admitted;
    const asking = { packet: guard.takeLogin(), address, isGone: () => client.closed };
    const refused = await this.#logins.check(asking);
    if (refused === null) {
      this.#regulars.loggedIn(guard.admitted, guard.publisher);
      return null;
    }
    const { reason } = refused;
    if (refused.isSaid) this.#counts.refused_connections_total += 1;
    else this.#refuse("connection refused", { ...guard.fields, reason });
    return Object.assign(new Error(reason), refused);
  }

  #publish(client: Client | null, packet: PublishPacket, done: (error?: Error) => void): void {
    const will = !Object.hasOwn(packet, "cmd"); // aedes passes a will as it stood in CONNECT
    const guard = client && guardOf(client);
    const name = guard?.publisher ?? "";
    if (this.#closing) {
      if (will) done(new Error("closing")); // it is we who leave: no "link lost"
      return; // neither taken nor acknowledged: the publisher sends it again
    }
    if (packet.topic.startsWith("$") && !will) {
      this.#counts.refused_topics_total += 1;
      this.#options.log.warn("message refused: its topic starts with $", guard?.fields ?? {});
      done(new Error("topics that start with $ are refused"));
      return;
    }
    if (will) this.#options.onWill(name);
    const receipt = { client: name, will, received_ms: this.#options.clock.now_ms() };
    const message = receivedMessage(packet, receipt);
    if (guard !== null) this.#regulars.published(guard.admitted, guard.publisher);
    const begin = () => this.#commit(message, guard);
    const commit =
      client !== null && message.qos === 2 && message.packet_id !== null
        ? this.#handshakes.commitOnce(client, message.packet_id, begin)
        : begin();
    commit.then(
      () => done(),
      () => done(new Error("not committed")),
    );
  }

  #commit(message: Message, guard: Guard | null): Promise<void> {
    const held_bytes = message.payload.length;
    guard?.hold(held_bytes);
    const commit = this.#options
      .take(message)
      .then(
        () => {
          this.#counts.messages_total += 1;
        },
        (error) => {
          this.#counts.withheld_total += 1;
          this.#options.log.warn("message not acknowledged: it could not be committed", {
            ...{ client: short(message.client), topic: short(message.topic) },
            reason: messageOf(error),
          });
          throw error;
        },
      )
      .finally(() => {
        guard?.release(held_bytes);
        this.#inHand.delete(commit);
      });
    this.#inHand.add(commit);
    return commit;
  }

  #report(): void {
    const { log } = this.#options;
    this.#aedes.on("clientReady", (client) => {
      log.debug("publisher connected", guardOf(client).fields);
      // The library also reports clients that have gone meanwhile, after their will.
      if (!client.closed) this.#options.onConnected(guardOf(client).publisher);
    });
    this.#aedes.on("clientDisconnect", (client) =>
      log.debug("publisher disconnected", guardOf(client).fields),
    );
    const failed = (client: Client, error: Error) => ({
      ...guardOf(client).fields,
      reason: messageOf(error),
    });
    this.#aedes.on("clientError", (client, error) =>
      log.debug("publisher's connection failed", failed(client, error)),
    );
    this.#aedes.on("connectionError", (client, error) =>
      this.#refuse("connection refused", failed(client, error)),
    );
  }
}

function guardOf({ conn }: Client): Guard {
  if (conn instanceof Guard) return conn;
  throw new Error("a connection without a guard");
}
