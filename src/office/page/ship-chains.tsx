// A ship's chains at the office: each branch, the last proven link, and which branch the ship
// continued.

import { partsWords, fleetWords as t } from "../../dashboard/lang/words.ts";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING, printNumber } from "../../dashboard/parts/numbers.ts";
import type { ShownBranch } from "./ship-answer.ts";
import { WideTable } from "./wide-table.tsx";

const COLUMNS = [
  "chain",
  "branch",
  "begins",
  "newest_link",
  "data_until",
  "received",
  "current",
] as const;

interface ShipChainsProps {
  readonly branches: readonly ShownBranch[];
  readonly now_ms: number;
}

export function ShipChains({ branches, now_ms }: ShipChainsProps) {
  const moment = (at_ms: number | null) => (at_ms === null ? MISSING : printMoment(at_ms, now_ms));
  return (
    <section aria-labelledby="chains">
      <h2 id="chains">{t("chains")}</h2>
      {branches.length === 0 ? (
        <p>{t("nothing_verified")}</p>
      ) : (
        <WideTable labelledBy="chains" columns={COLUMNS.map((name) => t(name))}>
          {branches.map((one) => (
            <tr key={`${one.chain} ${one.branch}`}>
              <th scope="row">{t(`chain_${one.chain}`)}</th>
              <td>{printNumber(one.branch)}</td>
              <td>{printNumber(one.begins)}</td>
              <td>{printNumber(one.number)}</td>
              <td>{moment(one.until_ms)}</td>
              <td>{moment(one.received_ms)}</td>
              <td>{partsWords(one.isCurrent ? "yes" : "no")}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </section>
  );
}
