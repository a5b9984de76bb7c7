// Copies live messages for `ballastd map try`. They are kept while somebody requests them, and
// dropped if they are too many. Nobody may subscribe at the embedded broker, so they are sent
// through the control socket, to the data folder's owner only.

import type { Message } from "../../bwts/message.ts";
import { SECOND_MS } from "../../ground/clock.ts";
import type { Writer } from "../../sqlite/threads/writer.ts";
import { LINE_MAX_BYTES, type TappedMessage } from "./protocol.ts";

export interface Tap {
  /** The messages after number `after`; null begins to watch, and returns no messages. */
  since(after: number | null): { readonly last: number; readonly messages: TappedMessage[] };
}

/** Time without a request after which nothing is kept; a watcher sends several a second. */
const WATCHED_MS = 10 * SECOND_MS;

/** Maximum bytes kept between two requests, as they would be in an answer's line. */
const KEPT_BYTES_MAX = 0.9 * LINE_MAX_BYTES;
/** Maximum bytes of the line for one message, beside topic and payload. */
const FRAME_BYTES = 256;

export function openTap(writer: Pick<Writer, "watch">): Tap {
  let watching: NodeJS.Timeout | null = null;
  let kept: { readonly number: number; readonly message: Message }[] = [];
  let kept_bytes = 0;
  let last = 0;

  const keep = (message: Message) => {
    last += 1;
    kept.push({ number: last, message: { ...message, payload: new Uint8Array(message.payload) } });
    kept_bytes += costOf(message);
    while (kept_bytes > KEPT_BYTES_MAX) {
      const dropped = kept.shift();
      kept_bytes -= dropped === undefined ? kept_bytes : costOf(dropped.message);
    }
  };

  const stop = () => {
    writer.watch(null);
    kept = [];
    kept_bytes = 0;
  };

  return {
    since(after) {
      if (watching !== null) clearTimeout(watching);
      watching = setTimeout(stop, WATCHED_MS).unref();
      writer.watch(keep);
      const wanted = kept.filter(({ number }) => after !== null && number > after);
      return { last, messages: wanted.map(({ message }) => tapped(message)) };
    },
  };
}

/**
 * Maximum bytes that a message takes in the line: every character of its topic escaped, the payload
 * in base64.
 */
function costOf({ topic, payload }: Message): number {
  return topic.length * 6 + payload.length * 1.34 + FRAME_BYTES;
}

function tapped({ topic, payload, payload_bytes, received_ms, retain }: Message): TappedMessage {
  const payload_base64 = Buffer.from(payload).toString("base64");
  return { topic, payload_base64, payload_bytes, received_ms, retain };
}
