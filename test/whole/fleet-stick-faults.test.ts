// A stick between ship and shore, at its worst: pulled out too early, exchanged or altered while it
// is read, made by a clock that was wrong, and taken into a database whose disk is full.

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importBundle } from "../../src/office/import.ts";
import { withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { judgedShip, SHIP } from "../rig/altered-office.ts";
import { removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { buildDisk, openDisk } from "../rig/forgetful-disk.ts";
import { runProcess } from "../rig/process.ts";
import { seededRandom } from "../rig/random.ts";
import { rowsAboard, shipAboard } from "../rig/ship-links.ts";
import { aboard, bundled, imported, opened, sealed } from "../rig/stick.ts";

const SEAL_BYTES = 104;

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
const asked = async (text: string) => (await fleet.psql(text)).trim();

test("a stick that is pulled out when the command has ended has the whole file", async () => {
  const rig = shipAboard({ seed: 71, segments: 2, readings: 30 });
  const env = aboard(rig, await fleet.add("9525338"));
  const [data, aside] = [temporaryFolder(), temporaryFolder()];
  const disk = openDisk({ library: buildDisk(temporaryFolder()), data, aside });
  disk.settle();
  const file = path.join(data, "file");
  await bundled({ ...env, ...disk.env, DISK_LATE: "1" }, file);
  const written = readFileSync(file);
  disk.cut("all lost", seededRandom(1));
  expect(readdirSync(data)).toEqual(["file"]);
  expect(readFileSync(file).equals(written)).toBe(true);
  rig.close();
});

test("a file that is altered while it is read is taken only as far as it was proven", async () => {
  const own = await fleet.add("9176187");
  const rig = shipAboard({ seed: 72, segments: 2, readings: 30 });
  const bytes = readFileSync(await bundled(aboard(rig, own), at("right")));
  const forged = Buffer.from(
    bytes.toString("latin1").replace(String.raw`raw_from_ms\":0`, String.raw`raw_from_ms\":9`),
    "latin1",
  );
  expect(forged.equals(bytes)).toBe(false);
  let isProven = false;
  const read = (place: number, length: number) => {
    const piece = (isProven ? forged : bytes).subarray(place, place + length);
    isProven ||= place + length === bytes.length - SEAL_BYTES;
    return piece;
  };
  const taking = withOffice(fleet.url, (office) =>
    importBundle(office, "stick", { read, size: bytes.length }),
  );
  await expect(taking).rejects.toThrow(/stick: was altered while it was read/);
  expect(await asked("select count(*) from fleet.document where ship = '9176187'")).toBe("0");
  rig.close();
});

test("a database whose disk is full keeps what it has; the file completes it later", async () => {
  const own = await fleet.add("9619907");
  const rig = shipAboard({ seed: 74, segments: 40, readings: 120 });
  const file = await bundled(aboard(rig, own), at("much"));
  const folder = temporaryFolder();
  const { uid, gid } = statSync(path.join(fleet.folder, "data"));
  const mount = ["-t", "tmpfs", "-o", `size=144k,mode=700,uid=${uid},gid=${gid}`, "none", folder];
  await runProcess({ file: "mount", args: mount, folder: stick });
  try {
    await fleet.psql(`create tablespace small location '${folder}'`);
    const move = (to: string) =>
      fleet.psql(`select format('alter table %s set tablespace ${to}', inhrelid::regclass)
        from pg_inherits where inhparent = 'fleet.link'::regclass \\gexec`);
    await move("small");
    const full = await fleet.office("fleet", "import", file);
    expect(full).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: expect.stringMatching(/No space left on device; what came before it is taken/),
    });
    const count = "select count(*) from fleet.link where ship = '9619907'";
    const before = Number(await asked(count));
    expect(before).toBeGreaterThan(0);
    await move("pg_default");
    const { segment, event, audit, refused } = await imported(fleet, file);
    expect(segment.known + event.known + audit.known).toBe(before);
    expect([segment.known + segment.new, refused]).toEqual([40, []]);
    expect(await rowsAshore(fleet, "9619907")).toEqual(rowsAboard(rig.db));
    await fleet.psql("drop tablespace small");
  } finally {
    await runProcess({ file: "umount", args: ["--lazy", folder], folder: stick });
  }
  rig.close();
});

test("an import that was broken off anywhere leaves nothing that verify calls broken", async () => {
  const own = await fleet.add(SHIP);
  const rig = await judgedShip();
  // Another office had all of it, which says nothing of this one.
  rig.db.exec("insert into shore_ack values ('segment', 2, 0), ('event', 3, 0), ('audit', 2, 0)");
  const { head, statements } = opened(await bundled(aboard(rig, own), at("whole"), "--all"));
  const report = statements.findIndex(({ values: [kind] }) => kind === "report");
  for (let taken = report + 1; taken <= statements.length; taken += 1) {
    const some = { head, statements: statements.slice(0, taken) };
    expect(await imported(fleet, sealed(at("part"), some, own.key))).toMatchObject({ refused: [] });
    const { problem, not_proven } = await withOffice(fleet.url, (office) =>
      verifyShip(office, SHIP),
    );
    const lacks = taken < statements.length;
    expect([taken, problem]).toEqual([taken, null]);
    expect(not_proven.some((one) => /which a report has and which isn't here/.test(one))).toBe(
      lacks,
    );
  }
  const run = await fleet.office("fleet", "verify", SHIP);
  expect(run.stdout).toContain("the tree of 5 made again here");
  rig.close();
});

test("a clock that stood in 2100 keeps nothing true out, once it is right", async () => {
  const own = await fleet.add("9839272");
  const rig = shipAboard({ seed: 73, segments: 2, readings: 30 });
  const env = aboard(rig, own);
  const ahead_ms = Date.UTC(2100, 0);
  const { head, statements } = opened(await bundled(env, at("before")));
  const ahead = statements.map(({ kind, values }) => {
    const [name, key, revision, body] = values;
    if (kind !== "document") return { kind, values };
    return { kind, values: [name, key, ahead_ms + (Number(revision) % 1e6), body] };
  });
  const made = { head: { ...head, made_ms: ahead_ms }, statements: ahead };
  const wrong = sealed(at("ahead"), made, own.key);
  expect((await imported(fleet, wrong)).document.new).toBeGreaterThan(0);
  const report = `select revision, body ->> 'at_ms' from fleet.document
    where ship = '9839272' and kind = 'report'`;
  const old = await asked(report);
  const right = await bundled(env, at("after"), "--all");
  expect((await imported(fleet, right)).document.new).toBeGreaterThan(0);
  const now = await asked(report);
  expect(now.split("|")[1]).not.toBe(old.split("|")[1]);
  // Neither the file of then nor the same one again changes what is here.
  for (const again of [wrong, right]) {
    expect((await imported(fleet, again)).document.new).toBe(0);
    expect(await asked(report)).toBe(now);
  }
  rig.close();
});
