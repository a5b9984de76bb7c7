// What the MQTT side tells of itself, in /readyz and /metrics, and what both of its doors (the
// embedded broker, the client of the ship's broker) have in common.

export interface MqttStatus {
  readonly mode: "embedded" | "client";
  /** Embedded: listening; client: connected and subscribed. */
  readonly connected: boolean;
  /** Publishers now connected (embedded), or 1 while connected (client). */
  readonly clients: number;
  /** Where: the listening addresses, or the broker's URL. */
  readonly where: string;
  /** What is wrong, in words; null when nothing is. */
  readonly problem: string | null;
  /** When `connected` last changed. */
  readonly changed_ms: number;
  /** When the ship's broker was last found to have lost our session; null: never. */
  readonly session_lost_ms: number | null;
  /** Counters since the start, by name; printed as Prometheus counters. */
  readonly counts: Readonly<Record<string, number>>;
  /** Faults met since the start, by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/** A way to receive messages, once it has been opened. */
export interface MqttDoor {
  status(): MqttStatus;
  /** Takes no more messages, waits until those in hand are committed, and closes. */
  close(): Promise<void>;
}
