// The address of the view, to be copied or photographed, and the other uses of the page: tables,
// and printing.

import { trendsWords as t } from "../lang/words.ts";
import { AddressCode } from "../parts/address-code.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { Popover } from "../parts/popover.tsx";

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
      <CopyField label={t("address")} text={url} />
      <button type="button" onClick={() => window.print()}>
        {t("print")}
      </button>
      <div class="qr-place">
        <AddressCode url={url} label={t("qr")} />
      </div>
    </div>
  );
}
