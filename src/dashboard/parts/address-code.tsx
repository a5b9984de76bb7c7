// An address as a QR code; the module that makes it is loaded with the first one. Trends shares its
// view by it, and the sheet of an operation has it on paper.

import { useEffect, useState } from "preact/hooks";

interface AddressCodeProps {
  readonly url: string;
  /** Description for screen readers. */
  readonly label: string;
  /** Called once the code is drawn. */
  readonly onDrawn?: () => void;
}

/** The code; nothing until its module is loaded. */
export function AddressCode({ url, label, onDrawn = () => {} }: AddressCodeProps) {
  const [rows, setRows] = useState<readonly string[]>([]);
  useEffect(() => {
    let isOf = true;
    void import("../../bwts/documents/qr.ts").then(({ qrRows }) => isOf && setRows(qrRows(url)));
    return () => {
      isOf = false;
    };
  }, [url]);
  useEffect(() => {
    if (rows.length > 0) onDrawn();
  }, [rows]);
  return rows.length === 0 ? null : <QrCode rows={rows} label={label} />;
}

const QR_BORDER = 4;

/** A QR code as one path: dark modules, and around them the light border that a reader needs. */
export function QrCode({ rows, label }: { readonly rows: readonly string[]; label: string }) {
  const size = rows.length + 2 * QR_BORDER;
  const path = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ index, 0: { length } }) =>
        `M${index + QR_BORDER} ${y + QR_BORDER}h${length}v1h-${length}z`,
    ),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join("")} />
    </svg>
  );
}
