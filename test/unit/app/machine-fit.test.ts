// Settings against this machine: addresses on a port that ballastd itself holds, all of IPv4 beside
// all of IPv6, and folders for backups. Real sockets and folders.

import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { folderProblem, listenProblem } from "../../../src/app/machine-fit.ts";
import { SETTINGS } from "../../../src/app/settings-keys.ts";
import { openListening } from "../../../src/config/listening.ts";
import { foldersOfTests } from "../../rig/folders.ts";
import { SILENT } from "../../rig/http-server-rig.ts";

const newFolder = foldersOfTests(afterAll);
const keyOf = (name: string) => {
  const key = SETTINGS.find((one) => one.key === name);
  if (key === undefined) throw new Error(`${name} is no setting`);
  return key;
};

test("an address on a port that ballastd holds is refused with that port", async () => {
  const own = createServer().listen(0, "127.0.0.1");
  await once(own, "listening");
  const { port } = own.address() as AddressInfo;
  const machine = { ports: () => new Set([port]), log: SILENT };
  const problemOf = (value: string) =>
    listenProblem({ key: keyOf("http.listen"), value: [value] }, machine);
  expect(await problemOf(`127.0.0.1:${port}`)).toBeNull();
  const absent = `192.0.2.1:${port}`;
  const problem = await problemOf(absent);
  expect(problem?.message).toContain(`${absent} (http.listen`);
  expect(problem?.reasons).toEqual([
    { code: "address_absent", values: { setting: "http.listen", address: absent } },
  ]);
  own.close();
});

test("all of IPv4 beside all of IPv6 are both bound", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, "close");
  const listening = await openListening({
    ...{ section: "http", missing: "refuse", log: SILENT, make: () => createServer() },
    listen: ["0.0.0.0", "::"].map((host) => ({ host, port })),
  });
  expect(listening.addresses()).toEqual([`0.0.0.0:${port}`, `[::]:${port}`]);
  await listening.close();
});

test("a folder in memory is refused on every way to it, and others for their own reason", () => {
  const folder = newFolder();
  mkdirSync(path.join(folder, "stick"));
  symlinkSync("/dev/shm", path.join(folder, "link"));
  const codeOf = (value: string) =>
    folderProblem({ key: keyOf("backup.dir"), value })?.reasons[0].code ?? null;
  const found = [
    ...["/dev/shm", "/tmp/../dev/shm", `${folder}/link`, `${folder}/link/later`, "/var/run/x"],
    ...[`${folder}/stick`, `${folder}/stick/../stick`, `${folder}/none`, "stick"],
    ...[`${folder}/${"n".repeat(300)}`, "/etc/hosts/x"],
  ].map(codeOf);
  expect(found).toEqual([
    ...Array.from({ length: 5 }, () => "folder_fleeting"),
    ...[null, null, "folder_absent", "folder_unfit", "folder_long", "folder_absent"],
  ]);
});

test.each(["//backup:hunter2@nas/share", "s3://key:hunter2@store/bucket"])(
  "the login in %s isn't repeated",
  (value) => {
    const problem = folderProblem({ key: keyOf("backup.dir"), value });
    expect(problem?.message).toContain("backup.dir");
    expect(`${problem?.message}${JSON.stringify(problem?.reasons)}`).not.toContain("hunter2");
  },
);
