// Without a link: what a ship stored comes ashore as one file, row by row, once, however often it
// is carried; what was cut, altered or sealed by others is refused; a link goes on from there.

import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { messageOf } from "../../src/ground/errors.ts";
import { openAuthority } from "../../src/office/authority.ts";
import { openRig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { ledgerDocumentsAboard, signerOf } from "../rig/ledger-signer.ts";
import { startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { rowsAboard, sailOn, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import {
  aboard,
  bundled,
  imported as importedHere,
  opened,
  openedBytes,
  sealed,
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

const counted = (news: number, known: number) => ({ new: news, known });

test("a ship without a link: carried, carried again, and a link goes on from there", async () => {
  const file = await fleet.add("9074729");
  const rig = shipAboard({ seed: 11, segments: 60, readings: 60 });
  rig.db.exec("insert into shore_hour (start_ms, revision) values (1777593600000, 5)");
  const env = aboard(rig, file);
  const began_ms = Date.now();
  const first = await bundled(env, at("first"));
  const [event, audit] = ["event", "audit"].map(
    (chain) => rowsAboard(rig.db).filter((row) => row.startsWith(chain)).length,
  );
  const run = await fleet.office("fleet", "import", first, "--json");
  expect(run.code, run.stderr).toBe(0);
  const documents = 3 + ledgerDocumentsAboard(rig.db);
  expect(JSON.parse(run.stdout)).toMatchObject({
    ...{ ship: "9074729", name: "MV 9074729", refused: [], forks: [] },
    ...{ segment: counted(60, 0), payload: counted(60, 0) },
    ...{ event: counted(event, 0), audit: counted(audit, 0), document: counted(documents, 0) },
  });
  expect(await rowsAshore(fleet, "9074729")).toEqual(rowsAboard(rig.db));
  const told = "select kind, revision from fleet.document where ship = '9074729' order by kind";
  const before = await asked(told);
  const instance = "select instance, last_seen from fleet.instance where ship = '9074729'";
  const box = await asked(instance);
  const seen = "select extract(epoch from last_contact) * 1000 from fleet.now";
  expect(Number(await asked(seen))).toBeGreaterThanOrEqual(began_ms);
  expect(await imported(first)).toMatchObject({
    ...{ segment: counted(0, 60), payload: counted(0, 60) },
    ...{ event: counted(0, event), audit: counted(0, audit), document: counted(0, documents) },
  });
  expect(await rowsAshore(fleet, "9074729")).toEqual(rowsAboard(rig.db));
  expect(await asked(told)).toBe(before);
  expect(await asked(instance)).toBe(box);
  // A link comes, of the same box: it finds all there, and sends no segment again.
  const payload_bytes = Number(await asked("select sum(octet_length(payload)) from fleet.link"));
  const noted = rig.db.prepare<[], { number: number }>(
    "select number from shore_ack where chain = 'complete'",
  );
  while (noted.get()?.number !== 60) {
    await using live = openBox(rig, file, { dir: rig.dir });
    while (live.shore.state.phase !== "connected") await sleep(20);
    expect(live.shore.state).toMatchObject({ parted: [], others: [], has: { lacking: [] } });
    await sleep(100);
  }
  const used = "select sum(sent_bytes) as sent from shore_usage";
  const sent = rig.db.prepare<[], { sent: number }>(used).get()?.sent ?? 0;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(payload_bytes / 2);
  // Then a bundle has only what came since, until all is wanted; an older one changes nothing.
  sailOn(rig, { seed: 12, segments: 3, readings: 60, days: 3 });
  const second = await bundled(env, at("second"));
  expect(statSync(second).size).toBeLessThan(statSync(first).size / 4);
  expect(await imported(second)).toMatchObject({ segment: counted(3, 0), payload: counted(3, 0) });
  const contact = await asked(instance);
  expect(await imported(first)).toMatchObject({ segment: counted(0, 60), refused: [], forks: [] });
  expect(await asked(instance)).toBe(contact);
  const whole = await bundled(env, at("second"), "--all", "--force");
  expect(await imported(whole)).toMatchObject({ segment: counted(0, 63) });
  expect(await rowsAshore(fleet, "9074729")).toEqual(rowsAboard(rig.db));
});

test("a file that was cut, damaged, exchanged or sealed by others is refused", async () => {
  const own = await fleet.add("9176187");
  const other = await fleet.add("9839272");
  const rig = shipAboard({ seed: 21, segments: 6, readings: 30 });
  const right = await bundled(aboard(rig, own), at("right"));
  const bytes = readFileSync(right);
  const made = opened(right);
  const put = (name: string, content: Uint8Array) => {
    writeFileSync(path.join(stick, name), content);
    return path.join(stick, name);
  };
  const flipped = (place: number) => {
    const copy = Buffer.from(bytes);
    copy[place] ^= 1;
    return copy;
  };
  const stranger = path.join(temporaryFolder(), "authority");
  mkdirSync(stranger);
  const foreign = openAuthority(stranger);
  foreign.makeServer(["elsewhere"]);
  const roleOf = ({ urls: [url] }: ShoreFile) => new URL(url).username;
  const forged = foreign.makeShip(roleOf(own));
  for (const [what, content, problem] of [
    ["empty", Buffer.alloc(0), /is empty/],
    ["another file", Buffer.from("hello\n".repeat(40)), /isn't a file of ballastd shore bundle/],
    ["cut in its middle", bytes.subarray(0, bytes.length >> 1), /was cut off/],
    ["cut by a byte", bytes.subarray(0, -1), /was cut off/],
    ["cut to its mark", bytes.subarray(0, 18), /was cut off/],
    ["a bit in the middle", flipped(bytes.length >> 1), /was damaged or altered/],
    ["a bit in a length", flipped(21), /was damaged or altered/],
    ["a bit of the checksum", flipped(bytes.length - 80), /was damaged or altered/],
  ] as const)
    expect(() => openedBytes(content), what).toThrow(problem);
  const role = roleOf(other);
  const cases = [
    [put("empty", Buffer.alloc(0)), /empty: is empty/],
    [put("bit", flipped(bytes.length - 1)), /was altered: the seal isn't ship_9176187_1's/],
    [
      sealed(at("role"), { ...made, head: { ...made.head, role } }, own.key),
      /sealed as ship_9839272_1's with a key that isn't of this fleet/,
    ],
    [
      sealed(
        at("certificate"),
        { ...made, head: { ...made.head, role, certificate: other.certificate } },
        own.key,
      ),
      /was altered: the seal isn't ship_9839272_1's/,
    ],
    [
      sealed(at("foreign"), { ...made, head: { ...made.head, ...forged } }, forged.key),
      /with a key that isn't of this fleet/,
    ],
  ] as const;
  for (const [file, problem] of cases) await expect(imported(file)).rejects.toThrow(problem);
  expect(await fleet.office("fleet", "import", cases[0][0])).toMatchObject({
    ...{ code: 1, stdout: "", stderr: expect.stringMatching(cases[0][1]) },
  });
  const count = "select count(*) from fleet.link where ship in ('9176187', '9839272')";
  expect(await asked(`${count} or ship = '9839272'`)).toBe("0");
  // A key that was revoked is out, here too.
  await fleet.psql("update fleet.ship set revoked = now() where ship = '9176187'");
  await expect(imported(right)).rejects.toThrow(/was revoked: the ship makes a new bundle/);
  expect(await asked(count)).toBe("0");
  rig.close();
});

test("an import that is interrupted says what stays, and the same again goes on", async () => {
  const file = await fleet.add("9321471");
  const rig = shipAboard({ seed: 43, segments: 3, readings: 30 });
  const carried = await bundled(aboard(rig, file), at("interrupted"));
  const held = fleet.psql("begin; lock table fleet.link; select pg_sleep(3000)").catch(messageOf);
  const locks = "pg_locks where relation = 'fleet.link'::regclass and";
  await expect.poll(() => asked(`select count(*) from ${locks} granted`)).toBe("1");
  await using run = startProgram({ args: ["fleet", "import", carried], env: fleet.env });
  await expect.poll(() => asked(`select count(*) from ${locks} not granted`)).not.toBe("0");
  expect(await run.stop("SIGINT")).toMatchObject({ code: 1 });
  expect(run.stderr()).toBe(
    `ballastd: ${carried}: interrupted; what was taken in stays, ` +
      "type the same again for the rest\n",
  );
  await asked(`select pg_terminate_backend(pid) from ${locks} granted`);
  expect(await held).toMatch(/terminating connection/);
  expect(await imported(carried)).toMatchObject({ segment: counted(3, 0), refused: [] });
  rig.close();
});

test("a ship put back from a backup: both lines stay, the present one stays so", LONG, async () => {
  const file = await fleet.add("9321483");
  const rig = shipAboard({ seed: 41, segments: 12, readings: 30 });
  await signerOf(rig).sign("start");
  const backup = path.join(temporaryFolder(), "ballastd.db");
  await rig.db.backup(backup);
  sailOn(rig, { seed: 42, segments: 9, readings: 30, days: 2 });
  const lost = await bundled(aboard(rig, file), at("lost"));
  const back = openRig({}, path.dirname(backup));
  sailOn(back, { seed: 43, segments: 5, readings: 30, days: 4 });
  writeFileSync(path.join(back.dir, "instance"), readFileSync(path.join(rig.dir, "instance")));
  const kept = await bundled(aboard(back, file), at("kept"));
  // The stick with the lost line is found after the other: it doesn't become the present.
  expect(await imported(kept)).toMatchObject({ segment: counted(17, 0), forks: [] });
  const found = await imported(lost);
  expect(found).toMatchObject({ segment: counted(9, 12), refused: [] });
  expect(found.forks).toContain("segment 1");
  const all = [...new Set([...rowsAboard(rig.db), ...rowsAboard(back.db)])].sort();
  expect(await rowsAshore(fleet, "9321483")).toEqual(all);
  const head = `select branch, number from fleet.head
    where ship = '9321483' and chain = 'segment' and is_current`;
  expect(await asked(head)).toBe("0|17");
  const listed = await fleet.office("fleet", "forks", "--json");
  expect(JSON.parse(listed.stdout)).toContainEqual(
    expect.objectContaining({ ship: "9321483", chain: "segment", number: 13, links: 9 }),
  );
  expect((await fleet.office("fleet", "verify", "9321483")).stdout).toMatch(/the chains are whole/);
  rig.close();
  back.close();
});
