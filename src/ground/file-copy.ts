// Copies and hashes large files piece by piece: the SHA-256 is that of the bytes read, not of a
// file that may have replaced them a moment later.

import { createHash } from "node:crypto";
import { closeSync, readSync, writeSync } from "node:fs";
import { openFile, openNew } from "./durable.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Copies the file open as `handle`, from byte `start` on, into a new file; returns the SHA-256 in
 * hex.
 */
export function copyOpen(
  handle: number,
  { start, file, mode }: { readonly start: number; readonly file: string; readonly mode: number },
): string {
  const to = openNew(file, mode);
  try {
    return hashed(handle, start, (piece) => {
      for (let at = 0; at < piece.length; ) at += writeSync(to, piece, at);
    });
  } finally {
    closeSync(to);
  }
}

/** SHA-256 of a file, in hex. */
export function hashOfFile(file: string): string {
  const handle = openFile(file);
  try {
    return hashOfRest(handle, 0);
  } finally {
    closeSync(handle);
  }
}

/** SHA-256 of the open file `handle`, from byte `start` on, in hex. */
export function hashOfRest(handle: number, start: number): string {
  return hashed(handle, start, () => {});
}

function hashed(handle: number, start: number, take: (piece: Uint8Array) => void): string {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(PIECE_BYTES);
  for (let at = start; ; ) {
    const length = readSync(handle, buffer, 0, buffer.length, at);
    if (length === 0) return hash.digest("hex");
    const piece = buffer.subarray(0, length);
    hash.update(piece);
    take(piece);
    at += length;
  }
}
