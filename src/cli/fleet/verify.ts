// `ballastd fleet verify`: proves by the ships' hashes that what is ashore is what was aboard, and
// changes nothing.

import { parseArgs } from "node:util";
import { withOffice } from "../../fleet/office.ts";
import { type ShipVerified, verifyShip } from "../../fleet/verify.ts";
import { EXIT } from "../../ground/errors.ts";
import { escaped, listDocument } from "../document.ts";
import { COMMON, chosenShips } from "./ships.ts";

export async function verify(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: COMMON,
  });
  await withOffice(values.database, async (office) => {
    const ships = await chosenShips(office, "verify", positionals);
    const verifyAll = async (tell: (found: ShipVerified) => void) => {
      for (const ship of ships) {
        const found = await verifyShip(office, ship);
        tell(found);
        if (found.problem !== null) process.exitCode = EXIT.failed;
      }
    };
    if (values.json) await listDocument(verifyAll);
    else await verifyAll((found) => process.stdout.write(text(found)));
  });
}

function text({ ship, hours, forks, problem, ...found }: ShipVerified): string {
  const { segments, lacking, readings, events, audit } = found;
  const { equal, differing, fewer_aboard, not_here } = hours;
  const sealed = `${segments} segments (${lacking} without payload) with ${readings} readings`;
  const sums = `${equal} equal, ${differing} differ, ${fewer_aboard} with readings hidden aboard`;
  return [
    `${ship}: ${sealed}, ${events} events, ${audit} entries of the audit log`,
    `  head of the segments:  ${found.segment_head}`,
    `  head of the events:    ${found.event_head}`,
    `  head of the audit log: ${found.audit_head}`,
    `  hours: ${sums}, ${not_here} not here in full`,
    ...(forks.length === 0 ? [] : [`  FORK: branches ${forks.join(", ")}`]),
    problem === null ? "  the chains are whole" : `  BROKEN: ${escaped(problem)}`,
    "",
  ].join("\n");
}
