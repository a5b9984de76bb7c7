// The table behind the waterfall: each cause with its part, its readings now and then, the source
// of the finding, and the test that proves it. It is rendered when it is opened.

import { useState } from "preact/hooks";
import { whyWords as t } from "../lang/words.ts";
import { MISSING } from "../parts/numbers.ts";
import type { ShownComparison } from "./why-answer.ts";
import { printChange, readingsInWords } from "./why-words.ts";

export function CauseTable({ comparison }: { readonly comparison: ShownComparison }) {
  const [isOpen, setOpen] = useState(false);
  const { rows, change_w_m2 } = comparison;
  const part = (value: number | null) => (value === null ? MISSING : printChange(value, 10));
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("table")}</summary>
      {isOpen && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("cause")}</th>
              <th scope="col" class="number">
                {t("change")}
              </th>
              <th scope="col">{t("reading")}</th>
              <th scope="col">{t("known_by")}</th>
              <th scope="col">{t("test")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.cause}>
                <th scope="row">{t(row.cause)}</th>
                <td class="number">{part(row.w_m2)}</td>
                <td>{readingsInWords(row).join("; ") || MISSING}</td>
                <td>{t(`basis_${row.basis}`)}</td>
                <td>{t(`test_${row.cause}`)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t("sum")}</th>
              <td class="number">{part(change_w_m2)}</td>
              <td colSpan={3} />
            </tr>
          </tbody>
        </table>
      )}
    </details>
  );
}
