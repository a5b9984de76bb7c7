// Reads the protocol level of a CONNECT before the broker's library does. For an unknown level the
// library closes the connection silently, while MQTT 3.1.1 demands CONNACK 1, which tells the
// publisher what to change.

/** MQTT 3.1 and 3.1.1. */
const LEVELS: readonly number[] = [3, 4];

/** Set by bridges such as Mosquitto's, beside the level. */
const BRIDGE_BIT = 0x80;

/** CONNACK 1: unacceptable protocol level. */
export const LEVEL_REFUSED = Buffer.from([0x20, 2, 0, 1]);

/**
 * The level of a whole CONNECT whose body begins at `at`, if it is unknown; else null, also for a
 * packet that isn't a CONNECT, which the library reports.
 */
export function foreignLevel(packet: Uint8Array, at: number): number | null {
  const name_bytes = (packet[at] ?? 0) * 256 + (packet[at + 1] ?? 0);
  const name = Buffer.from(packet.subarray(at + 2, at + 2 + name_bytes)).toString("latin1");
  const level = packet[at + 2 + name_bytes];
  if ((name !== "MQTT" && name !== "MQIsdp") || level === undefined) return null;
  return LEVELS.includes(level & ~BRIDGE_BIT) ? null : level;
}
