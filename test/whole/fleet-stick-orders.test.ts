// A stick to shore at unusual times: files that don't follow, one that was made weeks ago, a stick
// that is full or not there.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BundledStatement } from "../../src/codec/bundle.ts";
import { DAY_MS } from "../../src/ground/clock.ts";
import { removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { runProgram } from "../rig/program.ts";
import { rowsAboard, shipAboard } from "../rig/ship-links.ts";
import {
  aboard,
  bundled,
  imported as importedHere,
  opened,
  sealed,
  shoreCommand,
} from "../rig/stick.ts";

let fleet: FleetRig;
let stick: string;

beforeAll(async () => {
  fleet = await startFleet();
  stick = temporaryFolder();
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

const at = (name: string) => path.join(stick, name);
const imported = (file: string) => importedHere(fleet, file);
const asked = async (text: string) => (await fleet.psql(text)).trim();

const isLink = (chain: string, number: number) => (statement: BundledStatement) =>
  statement.values[0] === chain && statement.values[1] === number;

const counted = (news: number, known: number) => ({ new: news, known });

test("what doesn't follow stops its chain alone, and the right file completes it", async () => {
  const own = await fleet.add("9305879");
  const rig = shipAboard({ seed: 31, segments: 8, readings: 30 });
  const env = aboard(rig, own);
  const right = await bundled(env, at("right"), "--force");
  const { head, statements } = opened(right);
  const altered = (chain: string, number: number, place: number) =>
    statements.map((statement) => {
      if (!isLink(chain, number)(statement)) return statement;
      const values = statement.values.map((value, index) => {
        if (index !== place || !(value instanceof Uint8Array)) return value;
        const copy = Buffer.from(value);
        copy[Math.min(20, copy.length - 1)] ^= 1;
        return copy;
      });
      return { ...statement, values };
    });
  const run = async (name: string, some: readonly BundledStatement[]) => {
    return imported(sealed(at(name), { head, statements: some }, own.key));
  };
  const without = await run(
    "gap",
    statements.filter((one) => !isLink("segment", 1)(one)),
  );
  expect(without.refused).toEqual([
    { what: "segment 2", reason: expect.stringMatching(/link before isn't here; .* --all has it/) },
  ]);
  expect(without.segment).toEqual(counted(0, 0));
  expect(without.event.new).toBe(3);
  const header = await run("header", altered("segment", 3, 4));
  expect(header.refused).toEqual([
    { what: "segment 3", reason: expect.stringMatching(/the hash doesn't follow/) },
  ]);
  expect(header.segment).toEqual(counted(2, 0));
  const payload = await run("payload", altered("segment", 4, 6));
  expect(payload.refused).toEqual([
    { what: "segment 4", reason: expect.stringMatching(/the payload isn't its digest/) },
  ]);
  expect(payload.segment).toEqual(counted(1, 2));
  expect(await imported(right)).toMatchObject({ segment: counted(5, 3), refused: [] });
  expect(await rowsAshore(fleet, "9305879")).toEqual(rowsAboard(rig.db));
  rig.close();
});

test("what was made weeks ago is told as of then, with raw = never without readings", async () => {
  const file = await fleet.add("9434761");
  const rig = shipAboard({ seed: 51, segments: 40, readings: 30 });
  const made = opened(await bundled(aboard(rig, file, "never"), at("old")));
  const made_ms = Date.now() - 14 * DAY_MS;
  const old = sealed(at("older"), { ...made, head: { ...made.head, made_ms } }, file.key);
  const cut = importedHere(fleet, old, { reads_max: 5 });
  await expect(cut).rejects.toThrow(/EIO.*; what came before it is taken: import the file again/);
  const found = await imported(old);
  expect([found.segment.known > 0, found.payload]).toEqual([true, counted(0, 0)]);
  expect(found.event.known).toBeGreaterThan(0);
  const weeks = "between interval '13 days' and interval '15 days'";
  expect(await asked(`select ship from fleet.silent where silent ${weeks}`)).toBe("9434761");
  const now = await asked(`select now() - report_received ${weeks} from fleet.now
    where ship = '9434761'`);
  expect(now).toBe("t");
  rig.close();
});

test("a stick that isn't there or is full is named, and nothing of it is left", async () => {
  const file = await fleet.add("9619907");
  const rig = shipAboard({ seed: 61, segments: 40, readings: 60 });
  const env = aboard(rig, file);
  expect(await shoreCommand(env, "bundle", at("away/file"))).toMatchObject({
    code: 73,
    stderr: expect.stringMatching(/away: there is no such folder; is it mounted\?/),
  });
  const again = at("kept-file");
  writeFileSync(again, "kept");
  expect(await shoreCommand(env, "bundle", again)).toMatchObject({
    code: 73,
    stderr: expect.stringMatching(/is there already; --force overwrites it/),
  });
  expect(readFileSync(again, "utf8")).toBe("kept");
  const small = temporaryFolder();
  const mounted = 'mount -t tmpfs -o size=64k none "$0" && "$@"; code=$?; ls "$0"; exit $code';
  const full = await runProgram({
    args: ["shore", "bundle", path.join(small, "file")],
    env,
    through: ["unshare", "--mount", "sh", "-c", mounted, small],
  });
  expect(full).toMatchObject({
    code: 73,
    stderr: expect.stringMatching(/file: ENOSPC: no space left on device/),
    stdout: "",
  });
  expect(readdirSync(small)).toEqual([]);
  rig.close();
});
