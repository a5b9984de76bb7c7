// ballastd as a Sparkplug B 3.0 edge node, with the plant as its device: births, changed data,
// deaths, for the live view of SCADA systems. It is not a way to transfer evidence: data missed for
// longer than an hour stays aboard. Readings are fetched from readers, not the writer, at most four
// times a second, so that no message waits for it.

import { setTimeout as pause } from "node:timers/promises";
import type { IPublishPacket } from "mqtt";
import type { WatchedCertificate } from "../config/certificate-watch.ts";
import { type Clock, HOUR_MS, SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { shortName } from "../mqtt/authenticate.ts";
import { BrokerConnection } from "../mqtt/connection.ts";
import type { Fault } from "../mqtt/fault.ts";
import { Link } from "../mqtt/link.ts";
import { isBrokerUp } from "../mqtt/still-up.ts";
import { CLIENT_TIMING, type ClientTiming } from "../mqtt/timing.ts";
import type { DeviceReading, DeviceSource } from "./device-metrics.ts";
import { HostCommands } from "./host-commands.ts";
import { HostState } from "./host-state.ts";
import { NodeSession } from "./node-session.ts";

export interface SparkplugOptions {
  /** URL of the broker, as mqtt://host:port or mqtts://host:port. */
  readonly url: string;
  readonly certificate: WatchedCertificate | null;
  readonly client_id: string;
  readonly username: string;
  readonly password: string;
  readonly group: string;
  readonly node: string;
  /** Id of the primary host; "" if none is waited for. */
  readonly host_id: string;
  readonly version: string;
  readonly source: DeviceSource;
  readonly clock: Clock;
  readonly log: Log;
}

/** The edge node while it runs. */
export interface SparkplugNode {
  /** To be called after a commit: there may be new readings. */
  committed(): void;
  status(): SparkplugStatus;
  close(): Promise<void>;
}

export interface SparkplugStatus {
  readonly isConnected: boolean;
  /** True after the node's birth, while the connection lasts. */
  readonly isBorn: boolean;
}

/** Number of values of bdSeq, which counts from 0 to 255 and starts again. */
const BIRTH_NUMBERS = 256;
/** Minimum time between two looks at the plant. */
const ROUND_MS = 250;
/** Interval of looks without a commit, by which missing readings are noticed. */
const BEAT_MS = 5 * SECOND_MS;
/** Time until the next look after a failed one. */
const AGAIN_MS = SECOND_MS;
/** Maximum age of missed readings that are sent later. */
const MISSED_MAX_MS = HOUR_MS;

/** Readings that were measured while the host wasn't reachable, still to be sent. */
interface Missed {
  readonly before: DeviceReading;
  readonly end_ms: number;
}

/** Opens the edge node and starts to connect; returns at once. */
export function openSparkplug(options: SparkplugOptions): SparkplugNode {
  return new EdgeNode(options);
}

class EdgeNode implements SparkplugNode {
  readonly #options: SparkplugOptions;
  readonly #timing: ClientTiming = CLIENT_TIMING;
  readonly #host: HostState;
  readonly #link: Link;
  readonly #closing = new AbortController();
  readonly #beat: NodeJS.Timeout;
  readonly #running: Promise<void>;
  #connection: BrokerConnection | null = null;
  /** Null until the broker has granted the subscriptions, and when the connection is given up. */
  #session: NodeSession | null = null;
  /** The number of the present connection. */
  #birth_number = 0;
  readonly #commands: HostCommands;
  /** The newest reading that was published, in all sessions. */
  #told: DeviceReading | null = null;
  #missed: Missed | null = null;
  #round: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isDue = false;
  /** True if this side ended the connection because the host is offline. */
  #isLeft = false;
  /** Time of the next look, by performance.now(). */
  #next_ms = 0;

  constructor(options: SparkplugOptions) {
    this.#options = options;
    this.#host = new HostState(options.host_id, options.clock);
    this.#commands = new HostCommands(options.log);
    const down = "nothing is sent to Sparkplug hosts";
    this.#link = new Link({ ...options, down, steady_ms: this.#timing.steady_ms });
    this.#beat = setInterval(() => this.committed(), BEAT_MS);
    this.#running = this.#run();
  }

  committed(): void {
    if (this.#session !== null) this.#schedule();
  }

  status(): SparkplugStatus {
    return { isConnected: this.#session !== null, isBorn: this.#session?.isBorn ?? false };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#beat);
    await this.#disconnect();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pause_min_ms, pause_max_ms } = this.#timing;
    let pause_ms = pause_min_ms;
    while (!this.#closing.signal.aborted) {
      this.#host.forget();
      this.#isLeft = false;
      this.#connection = this.#connect();
      const fault = await this.#connection.ended;
      await this.#leave(fault);
      if (this.#closing.signal.aborted) break;
      if (this.#link.isSteady) pause_ms = pause_min_ms;
      const judged = this.#judge(fault);
      // Rejects on closing, which the loop's condition tests.
      await pause(pause_ms, null, { signal: this.#closing.signal }).catch(() => null);
      await judged;
      pause_ms = Math.min(2 * pause_ms, pause_max_ms);
    }
    this.#link.stop();
  }

  /** Reports the end of a connection. A broker that is up but closes each one is reported once. */
  async #judge(fault: Fault): Promise<void> {
    if (this.#isLeft) return this.#link.renewed();
    if (this.#link.ended(fault) !== "maybe pushed out") return;
    this.#link.closedBy(fault, { isStillUp: await isBrokerUp(this.#options.url) });
  }

  /** Ends the connection after the node's death is published. */
  async #disconnect(): Promise<void> {
    this.#session?.end();
    this.#session = null;
    await this.#connection?.finish();
  }

  /** Ends the session. The next one has the next bdSeq if this one got as far as CONNECT. */
  async #leave({ kind }: Fault): Promise<void> {
    if (kind !== "unreachable" && kind !== "tls")
      this.#birth_number = (this.#birth_number + 1) % BIRTH_NUMBERS;
    this.#session?.end();
    this.#session = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#round;
  }

  #connect(): BrokerConnection {
    const { url, certificate, client_id, username, password, version } = this.#options;
    const { clock, group, node } = this.#options;
    const commands = `spBv1.0/${group}/NCMD/${node}`;
    const topics = [commands, ...(this.#host.topic === null ? [] : [this.#host.topic])];
    const birth_number = this.#birth_number;
    // Only one message is in flight at a time, and none is sent on a closed connection.
    let release: (() => void) | null = null;
    let isOver = false;
    const session = new NodeSession({
      ...{ group, node, version, birth_number, clock },
      publish: (message) =>
        new Promise<void>((resolve) => {
          if (isOver) resolve();
          release = resolve;
          connection.publish({ ...message, qos: 0, retain: false }, resolve);
        }),
    });
    const connection = new BrokerConnection({
      ...{ url, client_id, username, password, topics, timing: this.#timing },
      credentials: certificate?.credentials() ?? null,
      session: "clean",
      will: { ...session.death(), retain: false },
      receive: (packet) => this.#receive(packet, commands),
      onSession: () => [],
      onSubscribed: (grants) => {
        this.#link.subscribed(grants);
        if (grants.some(({ qos }) => qos === null)) return;
        this.#session = session;
        this.#schedule();
      },
      onUnsubscribed: () => {},
    });
    void connection.ended.then(() => {
      isOver = true;
      release?.();
    });
    return connection;
  }

  async #receive({ topic, payload }: IPublishPacket, commands: string): Promise<void> {
    const bytes = Buffer.from(payload);
    if (topic === commands) this.#commands.hear(bytes);
    else if (topic !== this.#host.topic || !this.#host.hear(bytes))
      this.#commands.unreadable("STATE of the host can't be read", shortName(topic));
    // The host is offline: its next session needs a birth, and that a new connection.
    if (!this.#host.isOnline && this.#session?.isBorn) {
      this.#isLeft = true;
      void this.#disconnect();
    }
    this.#schedule();
    await this.#commands.pace.next(bytes.length);
  }

  #schedule(wait_ms = Math.max(0, this.#next_ms - performance.now())): void {
    this.#isDue = true;
    const session = this.#session;
    if (session === null || this.#round !== null || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#round = this.#look(session).finally(() => {
        this.#round = null;
        if (this.#isDue) this.#schedule();
      });
    }, wait_ms);
  }

  async #look(session: NodeSession): Promise<void> {
    this.#isDue = false;
    this.#next_ms = performance.now() + ROUND_MS;
    if (!this.#host.isOnline) return;
    try {
      await this.#tell(session);
      const isMissed = this.#missed !== null && session.hasDevice;
      this.#isDue ||= isMissed || this.#commands.isRebirthAsked;
    } catch (error) {
      this.#options.log.debug("the plant can't be read now", { problem: messageOf(error) });
      this.#next_ms = performance.now() + AGAIN_MS;
      this.#isDue = true;
    }
  }

  async #tell(session: NodeSession): Promise<void> {
    const { source } = this.#options;
    const isLive = await source.isLive();
    const readings = await source.newest(this.#told?.at_ms ?? null);
    if (session !== this.#session) return;
    // A void may have hidden the newest reading.
    const newest = readings.at(-1) ?? this.#told;
    if (!session.isBorn || this.#commands.isRebirthDue) {
      this.#commands.born();
      await session.bear();
    }
    if (!isLive || newest === null) await session.loseDevice();
    else if (!session.hasDevice) {
      this.#note(newest);
      await session.bearDevice(newest);
    } else if (this.#told !== null) {
      const before = this.#told;
      this.#told = newest;
      await session.tell(before, readings, { isHistorical: false });
    }
    if (session.hasDevice) await this.#tellMissed(session);
  }

  /** Notes the readings between the last published one and the birth's, to be sent later. */
  #note(newest: DeviceReading): void {
    const told = this.#told;
    this.#told = newest;
    if (told === null || newest.at_ms <= told.at_ms) return;
    const from_ms = newest.at_ms - MISSED_MAX_MS;
    const before = this.#missed?.before ?? told;
    const at_ms = Math.max(before.at_ms, from_ms);
    this.#missed = { before: { ...before, at_ms }, end_ms: newest.at_ms - 1 };
  }

  async #tellMissed(session: NodeSession): Promise<void> {
    if (this.#missed === null) return;
    const { before, end_ms } = this.#missed;
    const range = { start_ms: before.at_ms + 1, end_ms };
    const { readings, isMore } = await this.#options.source.first(range);
    if (session !== this.#session) return;
    await session.tell(before, readings, { isHistorical: true });
    if (session !== this.#session) return;
    const last = readings.at(-1);
    this.#missed = isMore && last !== undefined ? { before: last, end_ms } : null;
  }
}
