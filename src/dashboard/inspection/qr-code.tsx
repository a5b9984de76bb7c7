// A QR code as one path: dark modules in the ink, around it the four light modules that a reader
// needs. The program makes the rows.

import { inspectionWords as t } from "../lang/words.ts";

const BORDER = 4;

export function QrCode({ rows }: { rows: readonly string[] }) {
  const size = rows.length + 2 * BORDER;
  const path = rows
    .map((row, y) =>
      [...row.matchAll(/1+/g)]
        .map(
          ({ index, 0: run }) => `M${index + BORDER} ${y + BORDER}h${run.length}v1h-${run.length}z`,
        )
        .join(""),
    )
    .join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("head")}>
      <path d={path} />
    </svg>
  );
}
