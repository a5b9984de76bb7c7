// The QR code of a signed head, as rows of 0 and 1. Made here rather than in the page, whose
// scripts have no room for it; the terminal prints the same rows. Error correction M survives a
// photocopy.

import { encode } from "uqr";

/** Rows from the top, 1 for a dark module, without the light border that a printed one needs. */
export function qrRows(text: string): string[] {
  const { data } = encode(text, { ecc: "M", border: 0, boostEcc: false });
  return data.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
}
