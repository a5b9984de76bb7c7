// Splits a stream of bytes into lines of bounded length: input from a file or a socket may have any
// size and content, and must neither use unbounded memory nor silently alter a character.

/** A line with its end, or a problem with it. Numbers count from 1. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: string };

const LINE_FEED = 10;

/** Multiple of the allowed bytes beyond which a line has no end: a device, or another file. */
const ENDLESS_TIMES = 16;

/**
 * The lines of `chunks`. A line with more than `max_bytes`, or that isn't UTF-8, is a problem.
 * Reading stops at a line without an end.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  max_bytes: number,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const add = (part: Uint8Array) => {
    length += part.length;
    // An overlong line is reduced to its length.
    if (length <= max_bytes) parts.push(part);
    else parts = [];
  };
  const finish = (): Line => {
    const line = lineOf({ parts, length, number, max_bytes }, decoder);
    parts = [];
    length = 0;
    number += 1;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start) + 1;
      if (end === 0) break;
      add(chunk.subarray(start, end));
      yield finish();
      start = end;
    }
    if (start < chunk.length) add(chunk.subarray(start));
    if (length <= ENDLESS_TIMES * max_bytes) continue;
    const problem = `no end within ${length} bytes, expected at most ${max_bytes}: not read on`;
    yield { number, problem };
    return;
  }
  if (length > 0) yield finish();
}

interface Gathered {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
  readonly number: number;
  readonly max_bytes: number;
}

function lineOf({ parts, length, number, max_bytes }: Gathered, decoder: TextDecoder): Line {
  if (length > max_bytes)
    return { number, problem: `${length} bytes, expected at most ${max_bytes}` };
  const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts);
  try {
    const text = decoder.decode(bytes);
    return { number, text: number === 1 ? text.replace(/^\uFEFF/, "") : text };
  } catch {
    return { number, problem: "got other bytes, expected UTF-8" };
  }
}
