// Decodes an officer's file: UTF-8, or UTF-16 as a spreadsheet's "Unicode text" is, each with or
// without its byte order mark; anything else is read as Latin-1 (windows-1252), in which every byte
// is valid.

/** Maximum size of a file in bytes: ten years of entries; a spreadsheet with pictures has more. */
export const BOOK_BYTES_MAX = 1024 * 1024;

/** Number of first bytes that show UTF-16 in a text without a byte order mark. */
const LOOKED_AT = 64;

export function bookText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The form of UTF-16; null for any other encoding. */
function encodingOf(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (let index = 0; index < Math.min(bytes.length, LOOKED_AT); index += 1)
    if (bytes[index] === 0) zeros[index % 2] += 1;
  if (zeros[1] > LOOKED_AT / 4) return "utf-16le";
  return zeros[0] > LOOKED_AT / 4 ? "utf-16be" : null;
}
