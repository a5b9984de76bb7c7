// Tables of the figures by which ballastd works: limits of the embedded broker, weights of health.
// Each figure is taken from the constant that the program itself goes by.

import { HEALTH_WEIGHTS, WATER_TRIP, WATER_WARN } from "../../src/bwts/health.ts";
import { BROKER_LIMITS } from "../../src/mqtt/crowd.ts";
import { CONNECT_MAX_BYTES, OTHER_MAX_BYTES, PACKET_MAX_BYTES } from "../../src/mqtt/guard.ts";
import { code, markdownTable } from "./markdown-table.ts";

/** The embedded broker's limits, and the kind in `ballastd_mqtt_total` that counts them. */
export function brokerLimitTable(): string {
  const limits = BROKER_LIMITS;
  const refused = "refused_connections";
  return markdownTable(
    ["limit", "value", "counted as"],
    [
      ["connections", counted(limits.connections_max), code(refused)],
      [
        "connections from one address (of IPv6: one /64) other than this machine",
        counted(limits.connections_address_max),
        code(refused),
      ],
      ["bytes that aren't MQTT", "none", code("foreign_connections")],
      ["a CONNECT", bytes(CONNECT_MAX_BYTES), code("oversized_packets")],
      ["a PUBLISH", bytes(PACKET_MAX_BYTES), code("oversized_packets")],
      ["any other packet", bytes(OTHER_MAX_BYTES), code("oversized_packets")],
      ["until the CONNECT is whole", seconds(limits.connect_ms), code("slow_connections")],
      ["until any other packet is whole", seconds(limits.packet_ms), code("slow_connections")],
      [
        "unfinished packets of all publishers; beyond it the largest goes",
        bytes(limits.unfinished_max_bytes),
        code("crowded_out_connections"),
      ],
      [
        "messages that wait for the disk, of all publishers together",
        bytes(limits.in_hand_shared_bytes),
        "not read on meanwhile",
      ],
      ["a topic that starts with `$`", "none", code("refused_topics")],
    ],
  );
}

const FORMULAS: Readonly<Record<keyof typeof HEALTH_WEIGHTS, string>> = {
  uv_health: "100 x intensity / `limits.uv_target`",
  lamp_health: "mean lamp efficiency; a failed lamp counts as 0",
  power_efficiency: "100 - 2 x `POWER_COMPENSATION_PCT`",
  thermal_health:
    "the lower of cabinet air (from `limits.cabinet_warn` to `limits.cabinet_trip`) and water " +
    `(${WATER_WARN} to ${WATER_TRIP} degC)`,
};

/** What a health score is made of. */
export function healthTable(): string {
  const rows = Object.entries(FORMULAS).map(([name, formula]) => {
    const weight = Object.entries(HEALTH_WEIGHTS).find(([component]) => component === name);
    return [code(name), `${weight?.[1]} %`, formula];
  });
  return markdownTable(["component", "weight", "0 to 100, over the slot's mean values"], rows);
}

const counted = (value: number) => value.toLocaleString("en");
const seconds = (value_ms: number) => `${value_ms / 1000} s`;
const bytes = (value: number) =>
  value >= 1024 * 1024 ? `${value / 1024 / 1024} MiB` : `${value / 1024} KiB`;
