// The address of what is shown, to be copied or photographed, and what else is done with the page:
// tables, and paper. A page over plain HTTP has no clipboard of its own, so that the address is
// copied from a field.

import { useEffect, useRef, useState } from "preact/hooks";
import { trendsWords as t } from "../lang/words.ts";
import { QrCode } from "../parts/icon.tsx";
import { Popover } from "./popover.tsx";

interface ShareProps {
  /** The address with both ends of the range. */
  readonly address: string;
  readonly hasTables: boolean;
  readonly chooseTables: (hasTables: boolean) => void;
}

export function Share(props: ShareProps) {
  return (
    <Popover text="⋯" label={t("more")} side="right">
      {() => <Box {...props} />}
    </Popover>
  );
}

function Box({ address, hasTables, chooseTables }: ShareProps) {
  const url = new URL(address, window.location.href).href;
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<string | null>(null);
  const copy = () => {
    input.current?.select();
    setCopied(document.execCommand("copy") ? url : null);
  };
  return (
    <div class="share">
      <label class="tick">
        <input
          type="checkbox"
          checked={hasTables}
          onChange={({ currentTarget }) => chooseTables(currentTarget.checked)}
        />{" "}
        {t("table")}
      </label>
      <label>
        <span>{t("address")}</span>
        <input type="text" readOnly ref={input} value={url} />
      </label>
      <button type="button" onClick={copy}>
        {copied === url ? t("copied") : t("copy")}
      </button>{" "}
      <button type="button" onClick={() => window.print()}>
        {t("print")}
      </button>
      <Code text={url} />
    </div>
  );
}

/** The code; its maker is loaded when it is shown first. */
function Code({ text }: { readonly text: string }) {
  const [rows, setRows] = useState<readonly string[]>([]);
  useEffect(() => {
    let isOf = true;
    void import("../../bwts/inspection/qr.ts").then(({ qrRows }) => isOf && setRows(qrRows(text)));
    return () => {
      isOf = false;
    };
  }, [text]);
  return <div class="qr-place">{rows.length > 0 && <QrCode rows={rows} label={t("qr")} />}</div>;
}
