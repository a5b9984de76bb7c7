// Live messages for `ballastd map try`, received without disturbing the service: in client mode
// over a separate connection with a temporary session, in embedded mode through the running
// instance's control socket. If no instance runs, this process listens on the broker's address and
// acknowledges nothing: the publisher sends these messages again to the instance that stores them.

import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "../bwts/message.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { openBroker } from "../mqtt/broker.ts";
import { BrokerConnection } from "../mqtt/connection.ts";
import { receivedMessage } from "../mqtt/endpoint.ts";
import { CLIENT_TIMING } from "../mqtt/timing.ts";
import { openCertificates } from "./certificates.ts";
import { type ControlClient, connectControl } from "./control/client.ts";
import type { TappedMessage } from "./control/protocol.ts";

export interface LiveMessages {
  /** Text about the messages' origin. */
  readonly from: string;
  /** Rejects with a Failure when no further messages can arrive. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

export interface LiveOptions {
  readonly config: Config;
  readonly password: string;
  /** The filters for client mode. */
  readonly filters: readonly string[];
  readonly onMessage: (message: Message) => void;
  /** Called with the number of messages that arrived too fast to be shown. */
  readonly onMissed: (count: number) => void;
  readonly log: Log;
}

/** Interval of requests to a running instance for its messages. */
const ASK_EVERY_MS = 200;

/** Resolves when messages can arrive. Throws a Failure if they can't. */
export async function openLive(options: LiveOptions): Promise<LiveMessages> {
  const { mqtt, storage } = options.config;
  if (mqtt.mode === "client") return openOwnConnection(options);
  const control = await connectControl(storage.dir);
  return control === null ? openOwnBroker(options) : askInstance(control, options);
}

async function openOwnConnection(options: LiveOptions): Promise<LiveMessages> {
  const { config, password, filters, onMessage, log } = options;
  const { url, username, client_id } = config.mqtt;
  const certificates = openCertificates(config, { clock: systemClock, log });
  const subscribed = Promise.withResolvers<void>();
  const connection = new BrokerConnection({
    url,
    credentials: certificates.mqtt?.credentials() ?? null,
    username,
    password,
    client_id: `${client_id}-try-${process.pid}`,
    topics: filters,
    session: "clean",
    will: null,
    timing: CLIENT_TIMING,
    receive: async (packet) => {
      const received_ms = systemClock.now_ms();
      onMessage(receivedMessage(packet, { client: "", will: false, received_ms }));
    },
    onSession: () => [],
    onSubscribed(grants) {
      const refused = grants.filter(({ qos }) => qos === null).map(({ topic }) => topic);
      if (refused.length === 0) subscribed.resolve();
      else {
        const reason = `the broker refused the subscription to ${refused.join(", ")}`;
        subscribed.reject(new Failure(EXIT.unavailable, `${url}: ${reason}`));
      }
    },
    onUnsubscribed: () => null,
  });
  const lost = connection.ended.then(({ reason }): never => {
    throw new Failure(EXIT.unavailable, `${url}: ${reason}`);
  });
  const close = async () => {
    await connection.finish();
    for (const certificate of certificates.all) certificate.close();
  };
  try {
    await Promise.race([subscribed.promise, lost]);
  } catch (error) {
    lost.catch(() => null); // our own closing ends it: not unhandled
    await close();
    throw error;
  }
  return { from: `${url}, ${filters.join(" ")}`, lost, close };
}

async function openOwnBroker({
  config,
  password,
  onMessage,
  log,
}: LiveOptions): Promise<LiveMessages> {
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => null);
  const certificates = openCertificates(config, { clock: systemClock, log });
  const broker = await openBroker({
    listen: config.mqtt.listen,
    missing: "refuse",
    certificate: certificates.mqtt,
    username: config.mqtt.username,
    password,
    clock: systemClock,
    log,
    note: () => null,
    onConnected: () => null,
    onWill: () => null,
    take: (message) => {
      onMessage(message);
      return closing.promise;
    },
  });
  return {
    from: `${broker.status().where}, as no instance runs; nothing is acknowledged`,
    lost: new Promise(() => {}),
    async close() {
      closing.reject(new Error("only looked at"));
      await broker.close();
      for (const certificate of certificates.all) certificate.close();
    },
  };
}

async function askInstance(control: ControlClient, options: LiveOptions): Promise<LiveMessages> {
  const { config, onMessage, onMissed } = options;
  const closing = new AbortController();
  const ask = (after: number | null) => control.ask("messages", { after });
  const first = await ask(null);
  const watch = async (): Promise<never> => {
    for (let { last } = first; ; ) {
      await pause(ASK_EVERY_MS, null, { signal: closing.signal });
      const answer = await ask(last);
      onMissed(answer.last - last - answer.messages.length);
      for (const message of answer.messages) onMessage(messageOf(message));
      last = answer.last;
    }
  };
  return {
    from: `the instance that runs in ${config.storage.dir}`,
    lost: watch(),
    async close() {
      closing.abort();
      control.close();
    },
  };
}

function messageOf({ payload_base64, ...tapped }: TappedMessage): Message {
  const payload = Buffer.from(payload_base64, "base64");
  return { ...tapped, payload, qos: 0, dup: false, client: "", packet_id: null, will: false };
}
