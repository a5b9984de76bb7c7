// The state of the link to the office, kept by the session and read by status, metrics and alerts.
// It doesn't decide what is sent after a restart: the hello does.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import type { ShoreHas } from "../sqlite/exchange/shore-backlog.ts";
import type { ChainName } from "../sqlite/file/hash-chain.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import { BYTES_PER_KBIT } from "./budget.ts";
import type { Hello } from "./hello.ts";

/** A refused statement, and the reason; everything else continues. */
export interface ShoreRefusal {
  readonly what: string;
  readonly reason: string;
}

/** A chain of which the office has links that this box doesn't have. */
export interface PartedChain {
  readonly chain: ChainName;
  /** Number of the newest link that both have. */
  readonly common: number;
  /** Number of the newest link at the office. */
  readonly head: number;
}

export interface ShoreState {
  /** "refused": the office refuses the ship's key. */
  phase: "off" | "connecting" | "connected" | "waiting" | "refused";
  problem: string | null;
  /** Host and port of the last attempt. */
  server: string | null;
  /** Time at which `phase` began, by the steady clock. */
  since_ms: number;
  /** The office's state; null until the first hello. */
  has: ShoreHas | null;
  /** By the refused thing: a chain, a payload, a document. */
  readonly refusals: Map<string, ShoreRefusal>;
  /** The office's store of objects; null without shore.objects, or before the first attempt. */
  objects: { readonly problem: string | null } | null;
  parted: readonly PartedChain[];
  others: Hello["others"];
  /**
   * This box itself, if the office has a document with its number that it never sent: somebody with
   * the ship's key sent it. Null unless that was seen in this run.
   */
  misused: Hello["others"][number] | null;
  /** The office's clock minus the box's, in ms. */
  clock_offset_ms: number | null;
  /** Time of the last answer, by the steady clock and by the box's. */
  answered: { readonly steady_ms: number; readonly at_ms: number } | null;
  /** The alerts as last sent, by id. */
  readonly toldAlarms: Map<string, string>;
  forecastsTold_ms: number | null;
  /** Time of the session's last report; null before it. */
  reported_ms: number | null;
  /** Ranges whose readings the crew wants to send. */
  readonly wanted: Set<ClosedRange>;
  /** True if a new hello is wanted. */
  isHelloWanted: boolean;
  /** The highest revision given to a document. */
  revision: number;
  round_trip_ms: number | null;
  bandwidth_bytes_s: number | null;
}

export function newShoreState(): ShoreState {
  return {
    ...{ phase: "off", problem: null, server: null, since_ms: performance.now() },
    ...{
      has: null,
      refusals: new Map(),
      objects: null,
      parted: [],
      others: [],
      misused: null,
      clock_offset_ms: null,
    },
    ...{ wanted: new Set(), isHelloWanted: false },
    ...{ answered: null, toldAlarms: new Map(), forecastsTold_ms: null, revision: 0 },
    reported_ms: null,
    ...{ round_trip_ms: null, bandwidth_bytes_s: null },
  };
}

/**
 * Minutes needed for the bytes at the measured or the allowed rate; null while neither is known.
 */
export function sendingMinutes(
  { bandwidth_bytes_s }: ShoreState,
  bytes: number,
  max_kbit: number,
): number | null {
  if (bandwidth_bytes_s === null || bandwidth_bytes_s <= 0) return null;
  const limit_bytes_s = max_kbit === 0 ? Number.POSITIVE_INFINITY : max_kbit * BYTES_PER_KBIT;
  const seconds = bytes / Math.min(bandwidth_bytes_s, limit_bytes_s);
  return Math.round(seconds * (SECOND_MS / MINUTE_MS) * 10) / 10;
}
