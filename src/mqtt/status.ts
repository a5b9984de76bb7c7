// The state of the MQTT side for /readyz and /metrics, and the interface that the embedded broker
// and the client share.

export interface MqttStatus {
  readonly mode: "embedded" | "client";
  /** Embedded: listening; client: connected and subscribed. */
  readonly connected: boolean;
  /** Publishers now connected (embedded), or 1 while connected (client). */
  readonly clients: number;
  /** The listening addresses, or the broker's URL. */
  readonly where: string;
  /** Text about the problem; null if there is none. */
  readonly problem: string | null;
  /** When `connected` last changed. */
  readonly changed_ms: number;
  /** Time when the ship's broker was last found to have lost our session; null for never. */
  readonly session_lost_ms: number | null;
  /** Counters since the start, by name; printed as Prometheus counters. */
  readonly counts: Readonly<Record<string, number>>;
  /** Faults met since the start, by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/** An open source of messages: the embedded broker's listener, or the client. */
export interface MqttEndpoint {
  status(): MqttStatus;
  /** Stops taking messages, waits until those received are committed, and closes. */
  close(): Promise<void>;
}
