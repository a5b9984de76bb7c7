// A ZIP archive of a few small files, for any desktop. node:zlib compresses and computes checksums;
// the rest is two headers a file (APPNOTE 6.3.3, without ZIP64), less code than a dependency.

import { crc32, deflateRawSync } from "node:zlib";

/** The archive of `files`, by name; each must be below 4 GiB. */
export function zipOf(files: ReadonlyMap<string, string>, at_ms: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of files) {
    const entry = entryOf(name, Buffer.from(text), at_ms);
    const local = Buffer.concat([signature(0x04034b50), entry.facts, entry.name]);
    directory.push(centralHeader(entry, offset));
    parts.push(local, entry.bytes);
    offset += local.length + entry.bytes.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, endOf({ count: files.size, central, offset })]);
}

interface Entry {
  readonly name: Buffer;
  /** The part that both headers share, from the version on. */
  readonly facts: Buffer;
  readonly bytes: Buffer;
}

/** Version 2.0; the name is UTF-8; deflated. */
const VERSION = 20;
const UTF8 = 0x0800;
const DEFLATED = 8;

function entryOf(text: string, content: Buffer, at_ms: number): Entry {
  const name = Buffer.from(text);
  const bytes = deflateRawSync(content);
  const facts = Buffer.alloc(26);
  const { time, date } = dosTime(at_ms);
  for (const [index, value] of [VERSION, UTF8, DEFLATED, time, date].entries())
    facts.writeUInt16LE(value, index * 2);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(bytes.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(name.length, 22);
  return { name, facts, bytes };
}

function centralHeader({ facts, name }: Entry, offset: number): Buffer {
  const made_by = Buffer.from([VERSION, 0]);
  // No comment, disk number, or attributes.
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(0x02014b50), made_by, facts, rest, name]);
}

function endOf(of: { count: number; central: Buffer; offset: number }): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(of.count, 4);
  end.writeUInt16LE(of.count, 6);
  end.writeUInt32LE(of.central.length, 8);
  end.writeUInt32LE(of.offset, 12);
  return Buffer.concat([signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Seconds in units of two, years from 1980. */
function dosTime(at_ms: number): { readonly time: number; readonly date: number } {
  const at = new Date(at_ms);
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const year = Math.max(0, at.getUTCFullYear() - 1980);
  return { time, date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate() };
}
