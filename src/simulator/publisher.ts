// The simulator's connection to a broker. Messages have QoS 1, several in flight at a time. MQTT.js
// reconnects after a loss and sends unacknowledged messages again. Only the first connection must
// succeed at once: the user can correct a wrong address or password, and a broker that went away is
// worth waiting for.

import { randomUUID } from "node:crypto";
import { connect, type MqttClient } from "mqtt";
import { brokerAddress } from "../config/values.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";

/** The broker and the login. */
export interface BrokerLogin {
  /** URL of the broker, as `mqtt://host:port`. */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** First level of every topic. */
  readonly prefix: string;
}

export interface Publisher {
  /**
   * Sends a message, then waits while too many are in flight, or until `signal` aborts.
   * `onAcknowledged` is called after the broker's acknowledgement.
   */
  send(topic: string, payload: string, onAcknowledged: () => void): Promise<void>;
  /** Waits until nothing is in flight. */
  drained(): Promise<void>;
  /** Waits a short time for messages in flight, then disconnects. */
  close(): Promise<void>;
}

// Enough to keep a broker busy that commits before it acknowledges; below Mosquitto's window of 20.
const IN_FLIGHT_MAX = 16;
const RECONNECT_MS = 500;
// Wait of `close` for acknowledgements from a broker that may be gone.
const CLOSE_WAIT_MS = 2000;
// Return codes of CONNACK for a wrong user or password (MQTT 3.1.1, section 3.2.2.3).
const REFUSED_CODES: readonly unknown[] = [4, 5];

/**
 * Connects, or throws a Failure: `unavailable` when no broker answers, `permission` when it refuses
 * the user or the password. Null when `signal` aborts first. `onConnection` is called with false
 * when the broker went away later, and with true when it is back.
 */
export async function openPublisher(
  connection: BrokerLogin,
  signal: AbortSignal,
  onConnection: (connected: boolean) => void,
): Promise<Publisher | null> {
  if (signal.aborted) return null;
  const client = connect({
    ...brokerAddress(connection.url),
    clientId: `plant-${randomUUID().slice(0, 8)}`,
    clean: true,
    reconnectPeriod: RECONNECT_MS,
    reconnectOnConnackError: true,
    ...(connection.username === null ? {} : { username: connection.username }),
    ...(connection.password === null ? {} : { password: connection.password }),
  });
  try {
    await firstConnection(client, signal);
  } catch (thrown) {
    client.end(true);
    if (signal.aborted) return null;
    throw refusal(connection.url, thrown);
  }
  return publisherOf(client, signal, onConnection);
}

function firstConnection(client: MqttClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    client.once("connect", () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    // This listener stays, without effect: later errors are those of attempts to connect again.
    client.on("error", reject);
    client.once("close", () => reject(new Error("the connection was closed")));
  });
}

function refusal(url: string, thrown: unknown): Failure {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
  if (REFUSED_CODES.includes(code))
    return new Failure(EXIT.permission, `the broker at ${url} refused the user or the password`);
  const why = codeOf(thrown) ?? messageOf(thrown);
  return new Failure(EXIT.unavailable, `no MQTT broker answers at ${url} (${why})`);
}

function publisherOf(
  client: MqttClient,
  signal: AbortSignal,
  onConnection: (connected: boolean) => void,
): Publisher {
  let inFlight = 0;
  let waiting: { readonly below: number; readonly go: () => void }[] = [];

  const wake = () => {
    const ready = waiting.filter(({ below }) => inFlight < below || signal.aborted);
    waiting = waiting.filter((waiter) => !ready.includes(waiter));
    for (const { go } of ready) go();
  };
  const fewerThan = (below: number): Promise<void> =>
    inFlight < below || signal.aborted
      ? Promise.resolve()
      : new Promise((go) => waiting.push({ below, go }));
  signal.addEventListener("abort", wake);
  const onClose = () => onConnection(false);
  client.on("close", onClose);
  client.on("connect", () => onConnection(true));

  return {
    send(topic, payload, onAcknowledged) {
      inFlight += 1;
      client.publish(topic, payload, { qos: 1 }, (error) => {
        inFlight -= 1;
        // An error means that the client is closing: the message may or may not have arrived.
        if (!error) onAcknowledged();
        wake();
      });
      return fewerThan(IN_FLIGHT_MAX);
    },
    drained: () => fewerThan(1),
    async close() {
      signal.removeEventListener("abort", wake);
      const until_ms = Date.now() + CLOSE_WAIT_MS;
      while (inFlight > 0 && client.connected && Date.now() < until_ms)
        await new Promise((next) => setTimeout(next, 10));
      client.off("close", onClose);
      await client.endAsync(inFlight > 0);
    },
  };
}
