// Tables of the figures by which ballastd works: limits of the web server and of the embedded
// broker, weights of health. Each figure is taken from the constant that the program goes by.

import * as server from "../../src/app/server.ts";
import { HEALTH_WEIGHTS, WATER_TRIP, WATER_WARN } from "../../src/bwts/health-parts.ts";
import { BOOK_BYTES_MAX } from "../../src/bwts/record-book/book-bytes.ts";
import { DAY_MS } from "../../src/ground/clock.ts";
import * as body from "../../src/http/body.ts";
import { WAITING_MAX, WAITING_MAX_BYTES } from "../../src/http/connections.ts";
import { PIECE_MIN_BYTES, PIECES_FREE } from "../../src/http/counted-request.ts";
import { HEADERS_MAX, URL_MAX } from "../../src/http/request-head.ts";
import { STREAMS_ADDRESS_MAX, STREAMS_MAX } from "../../src/http/stream.ts";
import * as turns from "../../src/http/turns.ts";
import { PACKET_MAX_BYTES } from "../../src/mqtt/framing.ts";
import { CONNECT_MAX_BYTES, OTHER_MAX_BYTES } from "../../src/mqtt/guard.ts";
import { BROKER_LIMITS } from "../../src/mqtt/shared-limits.ts";
import { code, markdownTable } from "./markdown-table.ts";

/** The web server's limits. */
export function httpLimitTable(): string {
  const { RAW_MAX_MS, BUCKETS_MAX_MS, PAGE_MAX, HEAVY, LIGHT } = turns;
  const [raw_days, bucket_days] = [RAW_MAX_MS / DAY_MS, BUCKETS_MAX_MS / DAY_MS];
  return markdownTable(
    ["limit", "value", "beyond it"],
    [
      [
        "connections; of them from one address (of IPv6: one /64) other than this machine",
        `${counted(server.CONNECTIONS_MAX)}; ${counted(server.CONNECTIONS_ADDRESS_MAX)}`,
        "one that waits for no answer makes room, else the oldest of the address with the most",
      ],
      [
        "requests that wait on a connection",
        `${WAITING_MAX}, or ${bytes(WAITING_MAX_BYTES)} of them`,
        "not read until they are answered",
      ],
      ["a TLS handshake", seconds(server.HANDSHAKE_TIMEOUT_MS), "closed"],
      ["the path and the query", `${counted(URL_MAX)} characters`, "414"],
      ["the head of a request", `${bytes(server.HEAD_MAX_BYTES)}, ${HEADERS_MAX} lines`, "431"],
      ["until the head is whole", seconds(server.HEADERS_TIMEOUT_MS), "408"],
      [
        "the body of a request; of a record book",
        `${bytes(body.BODY_MAX_BYTES)}; ${bytes(BOOK_BYTES_MAX)}`,
        "413",
      ],
      [
        `the pieces of a body, after the first ${PIECES_FREE}`,
        `${PIECE_MIN_BYTES} bytes on average, or more`,
        "400",
      ],
      [
        "bodies that are held at once; of them from one address",
        `${bytes(body.HELD_MAX_BYTES)}; ${bytes(body.HELD_MAX_BYTES / 2)}`,
        "503",
      ],
      ["until a request is whole", seconds(server.REQUEST_TIMEOUT_MS), "408"],
      [
        `large answers under way: more than ${raw_days} days of readings, ${bucket_days} days of ` +
          `buckets, or ${counted(PAGE_MAX)} readings of a page`,
        turnsOf(HEAVY),
        "503",
      ],
      ["other answers under way", turnsOf(LIGHT), "503"],
      [
        "an answer of which the client takes no 128 KiB, while others wait for its turn",
        `${seconds(LIGHT.slow_ms)}; a large one ${seconds(HEAVY.slow_ms)}`,
        "closed",
      ],
      ["an answer that the client doesn't take", seconds(server.STALLED_MS), "closed"],
      [
        "live streams; of them from one address other than this machine",
        `${counted(STREAMS_MAX)}; ${counted(STREAMS_ADDRESS_MAX)}`,
        "503",
      ],
    ],
  );
}

function turnsOf({ taken_max, waiting_max }: turns.TurnLimits): string {
  return `${taken_max}, and ${waiting_max} that wait for ${seconds(turns.WAIT_MAX_MS)} at most`;
}

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

/** The components of a health score. */
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
