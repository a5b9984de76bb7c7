// An address as a QR code; the module that makes it is loaded with the first one. Trends shares its
// view by it, and the sheet of an operation has it on paper.

import { useEffect, useState } from "preact/hooks";
import { QrCode } from "./icon.tsx";

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
    void import("../../bwts/inspection/qr.ts").then(({ qrRows }) => isOf && setRows(qrRows(url)));
    return () => {
      isOf = false;
    };
  }, [url]);
  useEffect(() => {
    if (rows.length > 0) onDrawn();
  }, [rows]);
  return rows.length === 0 ? null : <QrCode rows={rows} label={label} />;
}
