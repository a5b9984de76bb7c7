// The fleet as `ballastd fleet serve` answers it, for 500 and for 5,000 ships: reports, branches
// and a few links of each, written past the ships' functions to be there at once.

import { bundledProgram } from "../../test/rig/bundled.ts";
import type { FleetRig } from "../../test/rig/fleet-rig.ts";
import { startProcess } from "../../test/rig/process.ts";
import type { TableRow } from "./table-rows.ts";

/** Asked so many times, the median counts. */
const ASKED = 9;

export async function measureFleetPage(fleet: FleetRig): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  const args = [bundledProgram(), "fleet", "serve", "--listen", "127.0.0.1:0"];
  const command = { file: process.execPath, args, folder: fleet.folder, env: fleet.env };
  const served = startProcess(command);
  try {
    const said = () => /^fleet: (\S+)\/$/m.exec(served.stdout());
    await served.waitUntil("listening", () => said() !== null);
    const url = said()?.[1];
    for (const [ships, goal] of [
      [500, "50 ms"],
      [5000, "300 ms"],
    ] as const) {
      await fleet.psql(FILL.replaceAll("SHIPS", `${ships}`));
      const took: number[] = [];
      let bytes = 0;
      for (let time = 0; time < ASKED; time += 1) {
        const began_ms = performance.now();
        const answer = await fetch(`${url}/api/fleet`);
        bytes = (await answer.arrayBuffer()).byteLength;
        took.push(performance.now() - began_ms);
      }
      const median_ms = took.toSorted((one, other) => one - other)[ASKED >> 1];
      const measured = `${median_ms.toFixed(0)} ms, ${(bytes / 1000).toFixed(0)} kB`;
      rows.push({ what: `\`/api/fleet\` of ${ships} ships`, goal, measured });
    }
  } finally {
    await served.stop("SIGTERM");
  }
  return rows;
}

const FILL = `
  insert into fleet.ship (ship, role, name)
    select to_char(n, 'FM0000000'), 'bench_' || n, 'MV ' || n from generate_series(1, SHIPS) as n
    on conflict do nothing;
  insert into fleet.instance (ship, instance, version)
    select ship, gen_random_uuid(), '0.3.0' from fleet.ship
    where ship not in (select ship from fleet.instance);
  insert into fleet.document (ship, kind, key, instance, revision, body)
    select ship, 'report', 'now', instance, 1, jsonb_build_object('at_ms', 1777593600000,
      'data_ms', 1777593600000, 'state', 'RUNNING', 'values', '[1,2,3,4,5,6,7]'::jsonb,
      'alarms', '[]'::jsonb, 'raw_from_ms', 0,
      'lamp_due', '[7, "2027-04-05"]'::jsonb, 'line', '[1234, 43210, 1.5]'::jsonb)
    from fleet.instance on conflict do nothing;
  insert into fleet.branch (ship, chain, branch, begins, begun_by, number, hash, until_ms, instance)
    select ship, chain, 0, 1, instance, 3, '\\x00', 1777593600000, instance
    from fleet.instance, unnest(array['segment', 'event', 'audit']) as chain on conflict do nothing;
  insert into fleet.link (ship, chain, number, branch, hash, previous, body, first_ms, last_ms,
      count, instance)
    select ship, 'segment', n, 0, '\\x00', '\\x00', '\\x00', n, n, 1, instance
    from fleet.instance, generate_series(1, 3) as n on conflict do nothing;
  analyze;`;
