// Finds the proven frames of a damaged log, and the page of each. The checksum of a frame covers
// its page number, the commit's size and the page, but not the salts, and continues the checksum of
// the frame before. It is linear: the difference shows an altered bit or an altered number. If
// several alterations make the same difference, as in a word's upper bits, nothing is proven.

import type { FileBytes } from "../file/file-bytes.ts";
import type { WalFrame } from "../file/wal-frames.ts";

/** A frame as it was written, or, if nothing proves it, as it is in the log. */
export interface FoundFrame {
  readonly page: number;
  /** The number of pages of the database after the frame, if it ends a transaction; else 0. */
  readonly pages: number;
  readonly isProven: boolean;
  /** The offset of its page in the log, and the page's repaired byte. */
  readonly at: number;
  readonly mended: MendedByte | null;
}

type Alteration = Pick<FoundFrame, "page" | "pages" | "mended">;

interface MendedByte {
  readonly at: number;
  readonly value: number;
}

/** The two sums of a checksum, or a difference of two of them. */
type Sums = readonly [number, number];

const HEADER = 24;
const SUMS_AT = 16;
/** Offset of the checksum of the log's header. */
const FIRST_SUMS_AT = 24;

export function foundFrames(
  log: FileBytes,
  frames: readonly WalFrame[],
  page_bytes: number,
): readonly FoundFrame[] {
  if (frames.length === 0) return [];
  const order = orderOf((log.read(3, 1)[0] & 1) === 1);
  const most = frames.reduce(
    (sofar, { isWhole, pages }) => Math.max(sofar, isWhole ? pages : 1),
    1,
  );
  const found: FoundFrame[] = [];
  let before = order.sumsAt(log.read(0, HEADER + 8), FIRST_SUMS_AT);
  /** The computed sums after an unproven frame, whose stored sums may be the damaged part. */
  let computed: Sums | null = null;
  for (const [index, frame] of frames.entries()) {
    const { at, isWhole, page, pages } = frame;
    const bytes = log.read(at - HEADER, HEADER + (isWhole ? 0 : page_bytes));
    const stored = order.sumsAt(bytes, SUMS_AT);
    const standing = { page, pages, at, mended: null };
    if (isWhole) {
      found.push({ ...standing, isProven: true });
      computed = null;
    } else {
      const last = found.at(-1);
      const after = order.after(bytes, before);
      const goesOn: boolean = computed !== null && isSame(order.after(bytes, computed), stored);
      if (goesOn && last !== undefined) found.splice(-1, 1, { ...last, isProven: true });
      const around = { before: last ?? null, after: frames.at(index + 1) ?? null, most };
      const isSound: boolean = goesOn || isSame(after, stored);
      const altered: readonly Alteration[] = isSound
        ? []
        : alterations(bytes, minus(stored, after), { order, most, fits: (of) => fits(of, around) });
      const isProven: boolean = isSound || altered.length === 1;
      found.push({ ...standing, isProven, ...(isProven ? altered[0] : {}) });
      computed = isProven ? null : after;
    }
    before = stored;
  }
  return found;
}

type Numbers = Pick<WalFrame, "page" | "pages">;

interface FrameAround {
  readonly before: FoundFrame | null;
  readonly after: WalFrame | null;
  /** Maximum number of pages of the database after any commit of the log. */
  readonly most: number;
}

/**
 * True if a frame's numbers fit its neighbours: SQLite writes the pages of a transaction in
 * ascending order.
 */
function fits({ page, pages }: Numbers, { before, after, most }: FrameAround): boolean {
  const isBehind = before?.isProven !== true || before.pages > 0 || before.page < page;
  const isAhead = after?.isWhole !== true || pages > 0 || page < after.page;
  return page >= 1 && page <= most && isBehind && isAhead;
}

interface Altering {
  readonly most: number;
  readonly order: ReturnType<typeof orderOf>;
  readonly fits: (numbers: Numbers) => boolean;
}

/** The single alterations of a frame that explain the difference of its sums. */
function alterations(
  bytes: Buffer,
  difference: Sums,
  { order, most, fits }: Altering,
): readonly Alteration[] {
  const [page, pages] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  const explaining: Alteration[] = [];
  /**
   * The differences made by altering the first and the second word of a pair, beginning with the
   * last pair.
   */
  let first: Sums = [1, 1];
  let second: Sums = [0, 1];
  for (let at = bytes.length - 8; at >= HEADER; at -= 8) {
    for (const [word, weight] of [first, second].entries())
      for (let bit = 0; bit < 32; bit += 1) {
        const byte = at + 4 * word + order.byteOf(bit);
        const value = bytes[byte] ^ (1 << (bit & 7));
        const by = value > bytes[byte] ? 1 << bit : -(1 << bit);
        if (isSame(times(weight, by), difference) && fits({ page, pages }))
          explaining.push({ page, pages, mended: { at: byte - HEADER, value } });
      }
    [first, second] = [further(first), further(second)];
  }
  const told = order.words([page, pages]);
  const consider = (numbers: Numbers) => {
    const [one, two] = minus(order.words([numbers.page, numbers.pages]), told);
    const isBy = isSame(plus(times(first, one), times(second, two)), difference);
    if (isBy && fits(numbers)) explaining.push({ ...numbers, mended: null });
  };
  for (let number = 1; number <= most; number += 1) {
    if (number !== page) consider({ page: number, pages });
    if (number !== page && pages !== 0) consider({ page: number, pages: 0 });
    if (number !== pages) consider({ page, pages: number });
  }
  if (pages !== 0) consider({ page, pages: 0 });
  return explaining;
}

const plus = (one: Sums, other: Sums): Sums => [(one[0] + other[0]) | 0, (one[1] + other[1]) | 0];
const minus = (one: Sums, other: Sums): Sums => [(one[0] - other[0]) | 0, (one[1] - other[1]) | 0];
const times = ([one, two]: Sums, by: number): Sums => [Math.imul(one, by), Math.imul(two, by)];
const isSame = (one: Sums, other: Sums) => one[0] === other[0] && one[1] === other[1];

/** The difference after one more pair of words was summed. */
const further = ([one, two]: Sums): Sums => [(one + two) | 0, (one + 2 * two) | 0];

/** The checksum's arithmetic, in the byte order of the log. */
function orderOf(isBigEndian: boolean) {
  const word = (bytes: Buffer, at: number) =>
    isBigEndian ? bytes.readInt32BE(at) : bytes.readInt32LE(at);
  const scratch = Buffer.alloc(8);
  return {
    sumsAt: (bytes: Buffer, at: number): Sums => [bytes.readInt32BE(at), bytes.readInt32BE(at + 4)],
    /** The frame's first two numbers as the words that are summed. */
    words([page, pages]: Sums): Sums {
      scratch.writeUInt32BE(page, 0);
      scratch.writeUInt32BE(pages, 4);
      return [word(scratch, 0), word(scratch, 4)];
    },
    /** The byte, within a word, that holds the bit. */
    byteOf: (bit: number) => (isBigEndian ? 3 - (bit >> 3) : bit >> 3),
    after(bytes: Buffer, before: Sums): Sums {
      let [one, two] = before;
      const add = (at: number) => {
        one = (one + word(bytes, at) + two) | 0;
        two = (two + word(bytes, at + 4) + one) | 0;
      };
      add(0);
      for (let at = HEADER; at < bytes.length; at += 8) add(at);
      return [one, two];
    },
  };
}
