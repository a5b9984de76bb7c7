// Reads rows from the pages of a database file without its trees (SQLite's file format, sections
// 1.6 and 2.1). Every leaf page is read by itself, so that neither a broken page above it nor a
// lost schema hides its rows. Deleted rows may come back this way; the caller must recognise them.
// Pure: pages in, rows out.

/** A value of a row. */
export type PageValue = null | number | string | Buffer;

export interface PageRow {
  /** Null for a row of a table without rowid. */
  readonly rowid: number | null;
  /** Empty for a row that can't be read. */
  readonly cells: readonly PageValue[];
}

/** Returns a page of a file by its number, from 1; null for a missing one. */
export type PageAt = (page: number) => Buffer | null;

const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const INDEX_INTERIOR = 0x02;
const FILE_HEADER_BYTES = 100;
/** Maximum length of a payload; a larger one is damage. */
const PAYLOAD_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum number of a record's columns; our tables have a dozen. */
const CELLS_MAX = 64;

class Unreadable extends Error {}

/** True if rows may begin on the page, by the type in its first byte. */
export function holdsRows(page: Buffer, number: number): boolean {
  return [TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR].includes(page[topOf(number)]);
}

const topOf = (number: number): number => (number === 1 ? FILE_HEADER_BYTES : 0);

/** The rows that begin on a page, in their order; an unreadable one has no cells. */
export function* rowsOn(page: Buffer, number: number, pageAt: PageAt): Generator<PageRow> {
  if (!holdsRows(page, number)) return;
  const top = topOf(number);
  const kind = page[top];
  const isInterior = kind === INDEX_INTERIOR;
  const pointers = top + (isInterior ? 12 : 8);
  const count = Math.min(page.readUInt16BE(top + 3), (page.length - pointers) >> 1);
  for (let index = 0; index < count; index += 1) {
    const at = page.readUInt16BE(pointers + 2 * index);
    yield readCell(page, isInterior ? at + 4 : at, { isTable: kind === TABLE_LEAF, pageAt });
  }
}

interface CellPlace {
  readonly isTable: boolean;
  readonly pageAt: PageAt;
}

function readCell(page: Buffer, at: number, { isTable, pageAt }: CellPlace): PageRow {
  try {
    const from = new ByteCursor(page, at);
    const length = from.varint();
    const rowid = isTable ? from.varint() : null;
    const payload = payloadOf(from, { length, isTable, pageAt });
    return { rowid, cells: cellsOf(payload) };
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError)
      return { rowid: null, cells: [] };
    throw error;
  }
}

/** A payload: its part on the page (section 1.6), and the rest from its overflow pages. */
function payloadOf(
  from: ByteCursor,
  { length, isTable, pageAt }: CellPlace & { readonly length: number },
): Buffer {
  if (length > PAYLOAD_BYTES_MAX) throw new Unreadable();
  const size = from.bytes.length;
  const most = isTable ? size - 35 : Math.floor(((size - 12) * 64) / 255) - 23;
  if (length <= most) return from.take(length);
  const least = Math.floor(((size - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (size - 4));
  const parts = [from.take(fitting <= most ? fitting : least)];
  let rest = length - parts[0].length;
  for (let next = from.word(); rest > 0; ) {
    const page = pageAt(next);
    // Unreachable bytes are set to zero: the columns before them may still be right.
    const part = page?.subarray(4, 4 + Math.min(rest, size - 4)) ?? Buffer.alloc(rest);
    next = page?.readUInt32BE(0) ?? 0;
    parts.push(part);
    rest -= part.length;
  }
  return Buffer.concat(parts);
}

function cellsOf(payload: Buffer): PageValue[] {
  const head = new ByteCursor(payload, 0);
  const values = new ByteCursor(payload, head.varint());
  const cells: PageValue[] = [];
  for (const end = values.at; head.at < end; ) {
    if (cells.length === CELLS_MAX) throw new Unreadable();
    cells.push(values.cell(head.varint()));
  }
  if (values.at !== payload.length) throw new Unreadable();
  return cells;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

class ByteCursor {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    let value = 0n;
    for (let count = 1; count < 9; count += 1) {
      const byte = this.take(1)[0];
      value = (value << 7n) | BigInt(byte & 127);
      if (byte < 128) return Number(value);
    }
    return Number(BigInt.asIntN(64, (value << 8n) | BigInt(this.take(1)[0])));
  }

  word(): number {
    return this.take(4).readUInt32BE(0);
  }

  take(count: number): Buffer {
    if (this.at < 0 || count < 0 || this.at + count > this.bytes.length) throw new Unreadable();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** The value of a serial type (section 2.1). */
  cell(type: number): PageValue {
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    if (type === 7) return this.take(8).readDoubleBE(0);
    if (type >= 1 && type <= 6) return signed(this.take(INTEGER_BYTES[type]));
    if (type < 12) throw new Unreadable();
    const content = this.take((type - (type % 2 === 0 ? 12 : 13)) / 2);
    return type % 2 === 0 ? content : content.toString("utf8");
  }
}

function signed(bytes: Buffer): number {
  if (bytes.length <= 6) return bytes.readIntBE(0, bytes.length);
  return Number(bytes.readBigInt64BE(0));
}
