// The faults between ship and shore in short: ballastd and PostgreSQL killed at random instants
// while the one sends to the other. `npm run kills -- --fleet` is the long form, with faults of the
// line too.

import { expect, test } from "vitest";
import { runFleetKills } from "../../scripts/kills/fleet.ts";
import { PROGRAM } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { sized } from "../rig/scale.ts";

test("either side killed while sending: every link is ashore once, byte for byte", async () => {
  const report = await runFleetKills({
    ...{ program: PROGRAM, count: sized(2, 3), progress: () => null },
    seed: printedRandom("fleet killed").between(1, 2 ** 31),
    faults: ["ship killed", "server killed"],
  });
  expect(report).toMatchObject({ lost: 0, twice: 0, other: 0, problems: [] });
  expect(report.links).toBeGreaterThan(0);
});
