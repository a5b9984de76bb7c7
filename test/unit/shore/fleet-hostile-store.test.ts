// A store of objects that isn't one, or means harm: what it answers ends no program, holds nothing
// up for good, and goes into no message.

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http, { type RequestListener } from "node:http";
import net, { type AddressInfo, type Server } from "node:net";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { CONFIG } from "../../../src/config/config.ts";
import { type ObjectStore, openObjects } from "../../../src/shore/object-store.ts";
import { ObjectsAway, openShipObjects } from "../../../src/shore/objects.ts";
import { newShoreState } from "../../../src/shore/state.ts";
import { keyIn, officePlace } from "../../../src/shore/store-place.ts";
import { removeFolders } from "../../rig/database.ts";
import { temporaryFolder } from "../../rig/program.ts";

const servers: Server[] = [];
const stores: ObjectStore[] = [];
afterAll(() => {
  for (const store of stores) store.close();
  for (const server of servers) server.close();
  removeFolders();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const KEY = { id: "id", secret: "secret", token: null, region: null };

function storeAt(origin: string): ObjectStore {
  const store = openObjects({
    ...{ origin, bucket: "fleet", prefix: "", key: KEY, pin: null, authority: null },
  });
  stores.push(store);
  return store;
}

/** A store whose answers are the given ones. */
async function answering(answer: RequestListener): Promise<ObjectStore> {
  const server = http.createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  return storeAt(`http://127.0.0.1:${await listening(server)}`);
}

const saying = (status: number, body: string) =>
  answering((_request, response) => response.writeHead(status).end(body));

const BYTES = Buffer.from("payload");

test("a hotel's page passes for no store, which would lose what was put", async () => {
  const portal = await saying(200, "<html>Welcome</html>");
  await expect(portal.put("a", BYTES)).rejects.toThrow(/no ETag/);
  await expect(portal.names("a/")).rejects.toThrow(/isn't a list/);
  await expect(portal.versions("a")).rejects.toThrow(/isn't a list/);
  const upgrading = await answering((_request, { socket }) =>
    socket?.write("HTTP/1.1 101 Switching\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n"),
  );
  await expect(upgrading.put("a", BYTES)).rejects.toThrow(/isn't one of S3/);
  const moved = await answering((_request, response) =>
    response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
  );
  await expect(moved.put("a", BYTES)).rejects.toThrow(/^PUT a: 307$/);
});

test("what isn't a word of S3 stands in no message", async () => {
  const long = await saying(403, `<Code>${"\u001b[31m\n".repeat(10_000)}</Code>`);
  await expect(long.put("a", BYTES)).rejects.toThrow(/^PUT a: 403$/);
  const usual = await saying(403, "<Error><Code>AccessDenied</Code></Error>");
  await expect(usual.put("a", BYTES)).rejects.toThrow(/^PUT a: 403 AccessDenied$/);
  for (const secret of [KEY.id, KEY.secret]) {
    const echoing = await saying(403, `<Error><Code>${secret}</Code></Error>`);
    await expect(echoing.put("a", BYTES)).rejects.toThrow(/^PUT a: 403$/);
  }
});

test("an answer that is cut, or isn't HTTP, is named in words", async () => {
  const cut = await answering((_request, response) => {
    response.writeHead(200, { "content-length": "9" }).write("x", () => response.destroy());
  });
  await expect(cut.get("a")).rejects.toThrow(/ended the connection before its answer/);
  const hung = await answering((request) => request.socket.destroy());
  await expect(hung.put("a", BYTES)).rejects.toThrow(/ended the connection before its answer/);
  const other = await answering((request) => request.socket.end("SSH-2.0-x\r\n"));
  await expect(other.put("a", BYTES)).rejects.toThrow(/isn't HTTP/);
});

test("a store's impossible time doesn't spoil the requests after it", async () => {
  const body = "<Error><Code>RequestTimeTooSkewed</Code></Error>";
  const late = await answering((_request, response) =>
    response.writeHead(403, { date: "Sat, 13 Sep 275760 00:00:00 GMT" }).end(body),
  );
  const refused = /^PUT a: 403 RequestTimeTooSkewed$/;
  await expect(late.put("a", BYTES)).rejects.toThrow(refused);
  await expect(late.put("a", BYTES)).rejects.toThrow(refused);
});

test("a list that has no end, or no names, comes to one", async () => {
  const list = (inner: string) => saying(200, `<ListBucketResult>${inner}</ListBucketResult>`);
  const empty = await list("<NextContinuationToken></NextContinuationToken>");
  expect(await empty.names("a/")).toEqual([]);
  const same = await list("<NextContinuationToken>more</NextContinuationToken>");
  await expect(same.names("a/")).rejects.toThrow(/doesn't go on/);
  const torn = await list("<Key>%zz</Key>");
  await expect(torn.names("a/")).rejects.toThrow(/name that can't be read/);
  // Each begins a search for an end that isn't there.
  const open = await saying(200, `<ListVersionsResult>${"<Version>".repeat(800_000)}`);
  expect(await open.versions("a")).toEqual([]);
});

test("a list of ever other pages comes to an end", async () => {
  let asked = 0;
  const store = await answering((_request, response) => {
    asked += 1;
    const next = `<NextContinuationToken>${asked}</NextContinuationToken>`;
    response.end(`<ListBucketResult>${"<Key>a</Key>".repeat(100_000)}${next}</ListBucketResult>`);
  });
  await expect(store.names("a/")).rejects.toThrow(/has no end/);
  expect(asked).toBe(11);
});

test("an answer takes the memory of its bytes, however small its pieces are", async () => {
  let used_bytes = 0;
  const dripping = await answering(async (_request, response) => {
    const before = usedMemory();
    response.writeHead(200, { etag: '"7"' });
    for (let sent = 0; sent < DRIPS; sent += 1)
      if (!response.write("x")) await once(response, "drain");
    await new Promise((resolve) => response.write("x", resolve));
    used_bytes = usedMemory() - before;
    response.end();
  });
  const body = await dripping.get("a");
  expect(body?.length).toBe(DRIPS + 1);
  expect(used_bytes).toBeLessThan(20 * DRIPS);
});
const DRIPS = 300_000;

function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("to what was put no long answer is taken", async () => {
  const chatty = await saying(200, "x".repeat(100_000));
  await expect(chatty.put("a", BYTES)).rejects.toThrow(/too long/);
  expect((await chatty.get("a"))?.length).toBe(100_000);
});

test("versions are told beyond the first page: a thief's can be many", async () => {
  const version = (id: string) => `<Version><Key>a</Key><VersionId>${id}</VersionId></Version>`;
  const page = (inner: string) => `<ListVersionsResult>${inner}</ListVersionsResult>`;
  const marker = "<NextKeyMarker>a</NextKeyMarker><NextVersionIdMarker>7</NextVersionIdMarker>";
  const store = await answering(({ url = "" }, response) => {
    const isSecond = url.includes("key-marker=a") && url.includes("version-id-marker=7");
    response.end(page(isSecond ? version("sealed") : marker + version("other").repeat(1000)));
  });
  const ids = await store.versions("a");
  expect([ids.length, ids.at(-1)]).toEqual([1001, "sealed"]);
});

const sections = Object.keys(CONFIG.shape).map((section) => [section, {}]);

/** The ship's way to a store, with the file of her key. */
function shipObjects(objects: string, objects_key: string) {
  const { shore } = CONFIG.parse(Object.fromEntries(sections));
  const parts = { state: newShoreState(), now_ms: Date.now, silence_ms: 1 };
  return openShipObjects({ ...shore, objects, objects_key }, parts);
}

function writeKey(file: string, id: string): void {
  writeFileSync(file, `aws_access_key_id = ${id}\naws_secret_access_key = secret\n`);
}

test("a store that never finishes its TLS is given up, and asked again", async () => {
  const port = await listening(net.createServer((socket) => socket.on("error", () => {})));
  const file = path.join(temporaryFolder(), "key");
  writeKey(file, "id");
  const objects = shipObjects(`https://127.0.0.1:${port}/fleet`, file);
  const put = objects.put({ name: "a", bytes: Buffer.alloc(0) });
  const looking = setInterval(() => objects.look(), 50);
  await expect(put).rejects.toThrow(ObjectsAway);
  clearInterval(looking);
  expect(objects.isAway()).toBe(true);
});

test("after a refusal the key is read anew, and what was on the line stays counted", async () => {
  const server = http.createServer((request, response) => {
    request.resume();
    const isNew = request.headers.authorization?.includes("Credential=new/") === true;
    response.writeHead(isNew ? 200 : 403, { etag: '"7"' }).end();
  });
  const file = path.join(temporaryFolder(), "key");
  const objects = shipObjects(`http://127.0.0.1:${await listening(server)}/fleet`, file);
  writeKey(file, "old");
  await expect(objects.put({ name: "a", bytes: BYTES })).rejects.toThrow(/403/);
  const { sent_bytes } = objects.traffic();
  expect(sent_bytes).toBeGreaterThan(100);
  writeKey(file, "new");
  await objects.put({ name: "a", bytes: BYTES });
  expect(objects.traffic().sent_bytes).toBeGreaterThan(1.5 * sent_bytes);
  objects.close();
});

test("a key is of one profile, the first", () => {
  const first = "[default]\r\naws_access_key_id = one\r\naws_secret_access_key = two\r\n";
  const second = "[other]\naws_session_token = three\nregion = four\n";
  expect(keyIn(first + second)).toEqual({ id: "one", secret: "two", token: null, region: null });
  expect(keyIn("aws_access_key_id = one\n[b]\naws_secret_access_key = two\n")).toBeNull();
  const empty = "aws_session_token =\nregion=north\n";
  expect(keyIn(first + empty)).toMatchObject({ token: null, region: "north" });
});

test("a key in a place's URL is refused, and shown in no message", () => {
  const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hidden" };
  for (const given of ["https://id:hidden@host/fleet", "s3://fleet?key=hidden"]) {
    const place = () => officePlace(given, env);
    expect(place).toThrow(/expected s3:\/\/bucket/);
    expect(place).not.toThrow(/hidden/);
  }
});
