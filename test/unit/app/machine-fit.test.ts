// Settings against this machine: addresses on a port that ballastd itself holds, and all of IPv4
// beside all of IPv6. Real sockets.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { listenProblem } from "../../../src/app/machine-fit.ts";
import { SETTINGS } from "../../../src/app/settings-keys.ts";
import { openListening } from "../../../src/config/listening.ts";
import { SILENT } from "../../rig/http-server-rig.ts";

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
