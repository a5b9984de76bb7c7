// Operations of a ship, each with the newest verdict that it sent. Rules that were broken or
// couldn't be judged are named beside it, as in the table of rules.

import { fleetWords as t } from "../../dashboard/lang/words.ts";
import { LongText } from "../../dashboard/parts/long-text.tsx";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING, printNumber } from "../../dashboard/parts/numbers.ts";
import type { ShownShipOperation } from "./ship-answer.ts";
import { VerdictShape } from "./verdict-sign.tsx";
import { WideTable } from "./wide-table.tsx";

const COLUMNS = [
  ...["operation", "port", "began", "ended", "volume", "last_verdict", "rules", "judgement"],
] as const;
const TEXT_MAX = 40;

interface ShipOperationsProps {
  readonly operations: readonly ShownShipOperation[];
  readonly now_ms: number;
}

export function ShipOperations({ operations, now_ms }: ShipOperationsProps) {
  const moment = (at_ms: number | null) => (at_ms === null ? MISSING : printMoment(at_ms, now_ms));
  const text = (words: string | null) =>
    words === null || words === "" ? MISSING : <LongText text={words} max={TEXT_MAX} />;
  return (
    <section aria-labelledby="operations">
      <h2 id="operations">{t("operations")}</h2>
      {operations.length === 0 ? (
        <p>{t("no_operations")}</p>
      ) : (
        <WideTable labelledBy="operations" columns={COLUMNS.map((name) => t(name))}>
          {operations.map((one) => (
            <tr key={one.id} data-test={`operation-${one.id}`}>
              <th scope="row" lang="en">
                {text(one.operation)}
              </th>
              <td lang="en">{text(one.port)}</td>
              <td>{moment(one.start_ms)}</td>
              <td>{moment(one.end_ms)}</td>
              <td>{printNumber(one.volume_m3)}</td>
              <td>
                {one.verdict === null ? (
                  MISSING
                ) : (
                  <VerdictShape verdict={one.verdict} isProven={one.isProven} />
                )}
              </td>
              <td lang="en">{text(one.rules)}</td>
              <td>{printNumber(one.version)}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </section>
  );
}
