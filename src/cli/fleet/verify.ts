// `ballastd fleet verify`: proves by the ships' hashes that what is ashore is what was aboard, and
// changes nothing.

import { parseArgs } from "node:util";
import { type Office, withOffice } from "../../fleet/office.ts";
import { storeNamed } from "../../fleet/office-store.ts";
import { askAgain, type ShipVerified, verifyShip } from "../../fleet/verify.ts";
import { EXIT } from "../../ground/errors.ts";
import { escaped, listDocument } from "../document.ts";
import { COMMON, chosenShips } from "./ships.ts";

export async function verify(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...COMMON,
      objects: { type: "string" },
      "ask-again": { type: "boolean", default: false },
    },
  });
  const isAgain = values["ask-again"];
  const work = async (office: Office) => {
    const ships = await chosenShips(office, "verify", positionals);
    const verifyAll = async (tell: (found: ShipVerified) => void) => {
      for (const ship of ships) {
        const found = await verifyShip(office, ship);
        if (isAgain) await askAgain(office, found);
        tell(found);
        if (found.problem !== null) process.exitCode = EXIT.failed;
      }
    };
    if (values.json) await listDocument(verifyAll);
    else await verifyAll((found) => process.stdout.write(text(found, isAgain)));
  };
  await withOffice(values.database, work, { objects: storeNamed(values.objects) });
}

/** Lost objects that are named each. */
const NAMED_MAX = 20;

function text(
  { ship, hours, forks, ledger, problem, ...found }: ShipVerified,
  isAgain: boolean,
): string {
  const { segments, lacking, readings, events, audit, objects, lost_objects: lost } = found;
  const { equal, differing, fewer_aboard, not_here } = hours;
  const sealed = `${segments} segments (${lacking} without payload) with ${readings} readings`;
  const sums = `${equal} equal, ${differing} differ, ${fewer_aboard} with readings hidden aboard`;
  return [
    `${ship}: ${sealed}, ${events} events, ${audit} entries of the audit log`,
    `  head of the segments:  ${found.segment_head}`,
    `  head of the events:    ${found.event_head}`,
    `  head of the audit log: ${found.audit_head}`,
    `  hours: ${sums}, ${not_here} not here in full`,
    ...ledgerLines(ledger),
    ...(objects === 0 ? [] : [`  ${objects} payloads are objects in the store`]),
    ...lost
      .slice(0, NAMED_MAX)
      .map(({ number, problem: why }) => `  LOST: segment ${number}: ${why}`),
    ...(lost.length > NAMED_MAX ? [`  LOST: ${lost.length - NAMED_MAX} more`] : []),
    ...(isAgain && lost.length > 0 ? ["  the ship is asked for what is lost"] : []),
    ...(forks.length === 0 ? [] : [`  FORK: branches ${forks.join(", ")}`]),
    problem === null ? "  the chains are whole" : `  BROKEN: ${escaped(problem)}`,
    "",
  ].join("\n");
}

function ledgerLines({ heads, proven, waiting, waits_for, keys, faults }: ShipVerified["ledger"]) {
  const waits = waiting === 0 ? "" : `, ${waiting} wait for ${waits_for}`;
  return [
    `  signed heads: ${heads}, the tree of ${proven} made again here${waits}`,
    ...keys.map(({ number, verifier_key, is_signed_before, reason, at }) => {
      const trust = is_signed_before ? "" : ", NOT SIGNED BY THE KEY BEFORE";
      return `  key ${number}: ${escaped(`${verifier_key} (${reason}, ${at})`)}${trust}`;
    }),
    ...faults.slice(0, NAMED_MAX).map((fault) => `  LEDGER: ${escaped(fault)}`),
  ];
}
