// A message's contents once it is decoded, and the facts that decoding needs beside the message:
// the ship's settings and map, the trust in the clock, and the part to be decoded.

import type { Event } from "../bwts/event.ts";
import type { ReceivedHealth } from "../bwts/health-record.ts";
import type { Reject } from "../bwts/message.ts";
import type { Prediction } from "../bwts/prediction.ts";
import type { ReadingPart } from "../bwts/reading.ts";
import type { TagMap } from "./map-rules.ts";
import type { Manner } from "./reading.ts";

/** A decoded message. Rejected parts are only in `rejects`. */
export interface DecodedMessage {
  /** True if a part has the time of receipt: a repeated message must be recognised otherwise. */
  readonly timed_by_receipt: boolean;
  /**
   * The message's own time, accepted or not, for a message of one reading: it shows the PLC's
   * clock. Null for arrays, retained messages, and other kinds.
   */
  readonly sent_ms: number | null;
  readonly readings: readonly ReadingPart[];
  readonly events: readonly Event[];
  readonly health: readonly ReceivedHealth[];
  readonly predictions: readonly Prediction[];
  readonly rejects: readonly Reject[];
  /** Number of items of the message that `DecodeContext.items` can select. */
  readonly items: number;
}

/** The facts that decoding needs beside the message. */
export interface DecodeContext {
  readonly prefix: string;
  readonly system_id: string;
  readonly merge_ms: number;
  /** Offset from UTC of times without a zone; 0 by default. */
  readonly plc_offset_ms?: number;
  /** The ship's map; none by default. */
  readonly map?: TagMap;
  readonly clock_trusted: boolean;
  /** The items of an array to decode, `to` excluded; all by default. */
  readonly items?: { readonly from: number; readonly to: number };
  /** Given when a message is replayed from quarantine. */
  readonly replay?: {
    /** Shift in ms that is added to every time in the message itself. */
    readonly shift_ms: number;
    /**
     * Present time, with which times are compared: the box's clock may have been wrong at the
     * receipt.
     */
    readonly now_ms: number;
  };
  /** Called with the result for each tag. */
  readonly note?: Manner["note"];
}
