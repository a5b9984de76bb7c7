// Readings in a store of objects, Ceph's gateway: a ship puts them with a key that can do nothing
// else, through a gateway that dies, with a wrong key and a wrong clock; the office reads them,
// names what the store has lost, and is sent it again.

import { createHash, X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyPinOf } from "../../src/ground/key-pin.ts";
import { type Ceph, startCeph } from "../rig/ceph.ts";
import { authority } from "../rig/certificates.ts";
import { type Rig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, startFleet } from "../rig/fleet-rig.ts";
import { runProgram } from "../rig/program.ts";
import { type Link, linksOf, sailOn, shipAboard } from "../rig/ship-links.ts";
import { type BoxAboard, openBox } from "../rig/shore-rig.ts";
import { until } from "../rig/until.ts";

const [SHIP, OTHER] = ["9074729", "9176187"];

let ceph: Ceph;
let fleet: FleetRig;
let folder: string;
let officeKey: string;
let shipKey: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  [ceph, fleet] = await Promise.all([startCeph(), startFleet()]);
  folder = temporaryFolder();
  [officeKey, shipKey] = [await ceph.user("office"), await ceph.user(SHIP)];
  env = { ...fleet.env, AWS_SHARED_CREDENTIALS_FILE: fileWith("office-key", officeKey) };
  const put = async (at: string, body = "", headers: Readonly<Record<string, string>> = {}) =>
    expect((await ceph.ask(officeKey, "PUT", at, { body, headers })).status, at).toBeLessThan(300);
  await put("/fleet", "", { "x-amz-bucket-object-lock-enabled": "true" });
  await put(
    "/fleet?object-lock",
    "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>" +
      "<DefaultRetention><Mode>COMPLIANCE</Mode><Days>1</Days></DefaultRetention></Rule>" +
      "</ObjectLockConfiguration>",
  );
  await put(
    "/fleet?publicAccessBlock",
    "<PublicAccessBlockConfiguration><IgnorePublicAcls>true</IgnorePublicAcls>" +
      "</PublicAccessBlockConfiguration>",
  );
  await put("/fleet?policy", manualsPolicy());
  // A bucket that can lose what it has.
  await put("/loose");
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await ceph?.[Symbol.asyncDispose]();
  removeFolders();
});

/** The policy as it stands in the manual. */
function manualsPolicy(): string {
  const manual = readFileSync(path.resolve("docs/fleet-office.md"), "utf8");
  const [, policy = ""] = /```json\n(.*?)```/s.exec(manual) ?? [];
  return policy;
}

function fileWith(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const storeOf = (ship: string, bucket = "fleet", key = shipKey) => ({
  objects: `${ceph.origin}/${bucket}/${ship}`,
  objects_key: fileWith(`key-${ship}`, key),
});

const told = async (text: string) => (await fleet.psql(text)).trim();

/** Waits until each segment of the ship's is an object. */
async function drained(ship: string, { db }: Rig, box: BoxAboard) {
  const all = linksOf(db).filter(({ chain }) => chain === "segment").length;
  const count = `select count(*) from fleet.link where ship = '${ship}' and object is not null`;
  const isDone = async () => Number(await told(count)) === all;
  await until("all objects ashore", isDone, () => JSON.stringify(box.shore.state));
}

async function verify(...more: readonly string[]) {
  const args = ["fleet", "verify", ...more, "--objects", `${ceph.origin}/fleet`, "--json"];
  const ran = await runProgram({ args, env });
  const [found] = JSON.parse(ran.stdout);
  return { code: ran.code, ...found };
}

const digestOf = ({ digest }: Link) => digest?.toString("hex") ?? "";
const segmentsOf = ({ db }: Rig) => linksOf(db).filter(({ chain }) => chain === "segment");

test("a ship's readings lie in the store, and her file says where", async () => {
  const output = path.join(fleet.folder, "ship.shore");
  const key = fileWith("ship-key", shipKey);
  const place = ["--objects", `${ceph.origin}/fleet`, "--objects-key", key];
  const added = await fleet.office(
    ...["fleet", "add", SHIP, "--name", "MV One", "--output", output, ...place],
  );
  expect(added.code, added.stderr).toBe(0);
  const file = JSON.parse(readFileSync(output, "utf8"));
  expect(file.objects.url).toBe(`${ceph.origin}/fleet/${SHIP}`);
  const rig = shipAboard({ seed: 41, segments: 30, readings: 60 });
  const shore = { objects: file.objects.url, objects_key: fileWith("aboard", file.objects.key) };
  await using box = openBox(rig, file, { shore });
  await drained(SHIP, rig, box);
  // Segments that are sealed while the session lasts go behind their links.
  const hellos = () => told("select count(*) from fleet.instance");
  const before = await hellos();
  sailOn(rig, { seed: 42, segments: 2, readings: 60, days: 3 });
  await drained(SHIP, rig, box);
  expect(await hellos()).toBe(before);
  expect(
    await told("select count(*) from fleet.link where chain = 'segment' and payload is not null"),
  ).toBe("0");
  const [first] = segmentsOf(rig);
  expect(await told("select object from fleet.link where number = 1 and chain = 'segment'")).toBe(
    `${SHIP}/${digestOf(first)}`,
  );
  expect(box.shore.state.refusals.size).toBe(0);
  expect(box.shore.budget().used_bytes).toBeGreaterThan(
    segmentsOf(rig).reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0),
  );
  expect(await verify()).toMatchObject({
    ...{ code: 0, segments: 32, lacking: 0, objects: 32, readings: 1920, lost_objects: [] },
    ...{ problem: null },
  });
  const lake = path.join(fleet.folder, "lake");
  const without = await runProgram({ args: ["fleet", "lake", lake], env });
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringMatching(/--objects is missing/),
  ]);
  const args = ["fleet", "lake", lake, "--objects", `${ceph.origin}/fleet`, "--json"];
  const made = await runProgram({ args, env });
  expect(JSON.parse(made.stdout)).toMatchObject([{ readings: 1920, lacking: 0, problems: [] }]);
  rig.close();
});

test("a ship's key puts objects into her own folder and does nothing else", async () => {
  const [name] = (
    await told("select object from fleet.link where object is not null limit 1")
  ).split("\n");
  const at = `/fleet/${name}`;
  const ask = async (method: string, to = at, more = {}) =>
    (await ceph.ask(shipKey, method, to, more)).status;
  const sealed = await ceph.ask(officeKey, "GET", at);
  expect(sealed.status).toBe(200);
  const wrong = createHash("md5").update("other").digest("base64");
  expect(await ask("PUT", at, { body: "x", headers: { "content-md5": wrong } })).toBe(400);
  const digest = createHash("sha256").update("other").digest("hex");
  expect(await ask("PUT", at, { body: "x", headers: { "x-amz-content-sha256": digest } })).toBe(
    400,
  );
  expect(await ask("PUT", `/fleet/${OTHER}/a`, { body: "x" })).toBe(403);
  expect(await ask("PUT", "/fleet/a", { body: "x" })).toBe(403);
  for (const [method, to] of [
    ...[
      ["GET", at],
      ["HEAD", at],
      ["DELETE", at],
      ["GET", "/fleet?list-type=2"],
    ],
    ...[
      ["GET", "/fleet?versions"],
      ["GET", "/fleet?policy"],
      ["DELETE", "/fleet"],
    ],
    ...[
      ["GET", "/fleet?object-lock"],
      ["PUT", "/fleet?policy"],
    ],
  ])
    expect(await ask(method, to), `${method} ${to}`).toBe(403);
  const open = { headers: { "x-amz-acl": "public-read" } };
  expect(await ask("PUT", `${at}?acl`, open)).toBe(403);
  // Other bytes become a version; the sealed ones stay, and are the ones that count.
  expect(await ask("PUT", at, { body: "not hers", ...open })).toBe(200);
  expect((await ceph.ask(null, "GET", at)).status).toBe(403);
  expect((await ceph.ask(officeKey, "GET", at)).text).toBe("not hers");
  const versions = (await ceph.ask(officeKey, "GET", `/fleet?versions&prefix=${name}`)).text;
  const ids = [...versions.matchAll(/<VersionId>([^<]*)/g)].map(([, id]) => id);
  expect(ids.length).toBe(2);
  for (const id of ids)
    expect((await ceph.ask(officeKey, "DELETE", `${at}?versionId=${id}`)).status, id).toBe(403);
  // A delete marker hides it, and no more.
  expect((await ceph.ask(officeKey, "DELETE", at)).status).toBe(204);
  expect((await ceph.ask(officeKey, "GET", at)).status).toBe(404);
  expect(await verify(SHIP)).toMatchObject({ code: 0, lost_objects: [], problem: null });
});

test("a wrong key, a wrong clock and a gateway that dies hold up nothing else", async () => {
  const file = await fleet.add("9839272");
  const rig = shipAboard({ seed: 43, segments: 40, readings: 60 });
  const wrong = shipKey.replace(/(secret_access_key = ).*/, "$1none");
  const loose = storeOf("9839272", "loose", wrong);
  // The box's clock stands in 1970.
  await using box = openBox(rig, file, {
    shore: loose,
    now_ms: () => Math.floor(performance.now()),
  });
  const { state } = box.shore;
  const links = "select count(*) from fleet.link where ship = '9839272' and chain <> 'audit'";
  await until("the links", async () => Number(await told(links)) >= 43);
  await until("the refusal", async () => state.refusals.has("objects"));
  expect(state.refusals.get("objects")?.reason).toMatch(/^PUT [0-9a-f]{64}: 403 SignatureDoesNot/);
  expect(state.phase).toBe("connected");
  await ceph.stopGateway();
  const settings = { ...box.shore.settings(), ...storeOf("9839272", "loose", officeKey) };
  await box.shore.configure(settings);
  await until("no answer", async () => /ECONNREFUSED/.test(state.objects?.problem ?? ""));
  await ceph.startGateway();
  const some = "select count(*) from fleet.link where ship = '9839272' and object is not null";
  await until("some objects", async () => Number(await told(some)) > 3);
  await ceph.stopGateway();
  await ceph.startGateway();
  await drained("9839272", rig, box);
  expect([...state.refusals.values()]).toEqual([]);
  // The gateway is put back to yesterday.
  const lost = segmentsOf(rig).slice(4, 7);
  for (const one of lost)
    expect((await ceph.ask(officeKey, "DELETE", `/loose/9839272/${digestOf(one)}`)).status).toBe(
      204,
    );
  const asked = ["fleet", "verify", "9839272", "--objects", `${ceph.origin}/loose`];
  const named = await runProgram({ args: [...asked, "--ask-again"], env });
  expect(named.code).toBe(1);
  for (const { number } of lost)
    expect(named.stdout).toMatch(new RegExp(`LOST: segment ${number}: its object \\S+ isn't in`));
  state.isHelloWanted = true;
  await drained("9839272", rig, box);
  const again = await runProgram({ args: asked, env });
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/40 payloads are objects/)]);
  rig.close();
});

test("by asking alone: the answer comes when the objects are there", async () => {
  const file = await fleet.add("9321483");
  const rig = shipAboard({ seed: 44, segments: 6, readings: 60 });
  const shore = { ...storeOf("9321483", "loose", officeKey), raw: "asked" as const };
  await using box = openBox(rig, file, { shore });
  const links = "select count(*) from fleet.link where ship = '9321483' and chain = 'segment'";
  await until("the links", async () => (await told(links)) === "6");
  await ceph.stopGateway();
  await fleet.psql(`insert into fleet.request (ship, wanted) values
    ('9321483', '{"from": "2026-05-01T00:00:00Z", "to": "2026-05-01T00:01:30Z"}')`);
  box.shore.state.isHelloWanted = true;
  await until("a problem", async () => box.shore.state.objects?.problem != null);
  const open = "select count(*) from fleet.open_request where ship = '9321483'";
  expect(await told(open)).toBe("1");
  await ceph.startGateway();
  await until("the answer", async () => (await told(open)) === "0");
  const there = "select count(*) from fleet.link where ship = '9321483' and object is not null";
  expect(await told(there)).toBe("2");
  rig.close();
});

test("a store is known by its pinned key, and else by authorities", async () => {
  const own = authority(folder, "own");
  const pair = own.issue("store");
  const cert = readFileSync(pair.cert);
  const front = tls.createServer({ cert, key: readFileSync(pair.key) }, (socket) => {
    const back = connect(ceph.port, "127.0.0.1");
    socket.pipe(back).pipe(socket);
    for (const one of [socket, back]) one.on("error", () => back.destroy());
  });
  await new Promise<void>((resolve) => void front.listen(0, "127.0.0.1", resolve));
  const address = front.address();
  const port = typeof address === "object" ? address?.port : 0;
  const file = await fleet.add("9395044");
  const rig = shipAboard({ seed: 45, segments: 3, readings: 60 });
  const shore = {
    ...storeOf("x", "loose", officeKey),
    objects: `https://127.0.0.1:${port}/loose/9395044`,
  };
  await using box = openBox(rig, file, { shore });
  const { state } = box.shore;
  await until("a problem", async () =>
    /unable to verify|self-signed/.test(state.objects?.problem ?? ""),
  );
  const settings = box.shore.settings();
  await box.shore.configure({ ...settings, objects_pin: file.key_pin });
  await until("another", async () => /isn't the pinned one/.test(state.objects?.problem ?? ""));
  const der = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  await box.shore.configure({ ...settings, objects_pin: keyPinOf(der) });
  await drained("9395044", rig, box);
  const args = ["fleet", "verify", "9395044", "--objects", `https://127.0.0.1:${port}/loose`];
  const trusted = await runProgram({ args, env: { ...env, AWS_CA_BUNDLE: own.ca } });
  expect(trusted.code, trusted.stderr).toBe(0);
  front.close();
  rig.close();
});
