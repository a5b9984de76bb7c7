// The state of the link to the shore, as the session keeps it and as status, metrics and alerts
// read it. Nothing of it decides what is sent after a restart: the shore is asked.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import type { ShoreHas } from "../sqlite/exchange/shore-backlog.ts";
import type { ChainName } from "../sqlite/file/hash-chain.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import { BYTES_PER_KBIT } from "./budget.ts";
import type { Hello } from "./hello.ts";

/** Why something isn't taken by the shore; the rest goes on. */
export interface ShoreRefusal {
  readonly what: string;
  readonly reason: string;
}

/** The shore has links of a chain that this box hasn't. */
export interface Parted {
  readonly chain: ChainName;
  /** The newest link that both have. */
  readonly common: number;
  /** The newest link ashore. */
  readonly head: number;
}

export interface ShoreState {
  /** refused: the ship's key isn't taken. */
  phase: "off" | "connecting" | "connected" | "waiting" | "refused";
  problem: string | null;
  /** Host and port of the last attempt. */
  server: string | null;
  /** When `phase` was entered, by the steady clock. */
  since_ms: number;
  /** Null until the first hello. */
  has: ShoreHas | null;
  /** By what is refused: a chain, a payload, a document. */
  readonly refusals: Map<string, ShoreRefusal>;
  /** The office's store of objects; null without shore.objects, or before it was asked. */
  objects: { readonly problem: string | null } | null;
  parted: readonly Parted[];
  others: Hello["others"];
  /**
   * This box's own number, if the shore has a document that it never sent: whoever has the ship's
   * key sent it. Null until that was seen in this run.
   */
  misused: Hello["others"][number] | null;
  /** The shore's clock less the box's. */
  clock_offset_ms: number | null;
  /** The last answer, by the steady clock and by the box's. */
  answered: { readonly steady_ms: number; readonly at_ms: number } | null;
  /** Alerts as they were told, by id. */
  readonly toldAlarms: Map<string, string>;
  forecastsTold_ms: number | null;
  /** When the session's last report went; null before it. */
  reported_ms: number | null;
  /** Times whose readings the crew wants ashore. */
  readonly wanted: Set<ClosedRange>;
  /** The shore is to be asked anew. */
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

/** Minutes that so many bytes take at the rate measured, or allowed; null before it is known. */
export function minutesLeft(
  { bandwidth_bytes_s }: ShoreState,
  bytes: number,
  max_kbit: number,
): number | null {
  if (bandwidth_bytes_s === null || bandwidth_bytes_s <= 0) return null;
  const limit_bytes_s = max_kbit === 0 ? Number.POSITIVE_INFINITY : max_kbit * BYTES_PER_KBIT;
  const seconds = bytes / Math.min(bandwidth_bytes_s, limit_bytes_s);
  return Math.round(seconds * (SECOND_MS / MINUTE_MS) * 10) / 10;
}
