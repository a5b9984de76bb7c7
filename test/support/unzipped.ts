// Reads the ZIP files that the program makes.

import { inflateRawSync } from "node:zlib";
import { expect } from "vitest";

/** The files of an archive, read by their central directory. */
export function unzipped(bytes: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index += 1) {
    const [size, length] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + length);
    files.set(name, inflateRawSync(bytes.subarray(start, start + size)).toString());
    at += 46 + length;
  }
  return files;
}
