// /readyz without a token names the problem, but neither the
// paths of files nor the ship's broker.

import { expect, test } from "vitest";
import { shownToStrangers } from "../../../../src/bwts/readiness.ts";
import { exchange, openHttpRig, READY, TOKEN } from "../../../rig/http-server-rig.ts";

const PROBLEMS = [
  ["http.tls_key /etc/ballastd/ship.key: doesn't exist", "http.tls_key (file): doesn't exist"],
  ["http.tls_cert /mnt/My Disk/a b/c.pem has 3 bytes", "http.tls_cert (file) has 3 bytes"],
  ["ENOENT: no such file, statfs '/mnt/My Disk/data'", "ENOENT: no such file, statfs (file)"],
  ["unable to open ../data/x.db (EACCES)", "unable to open (file) (EACCES)"],
  [
    "not connected since 5 s: connect ECONNREFUSED 10.0.0.5:1883",
    "not connected since 5 s: connect ECONNREFUSED",
  ],
  ["getaddrinfo ENOTFOUND broker.ship.example", "getaddrinfo ENOTFOUND"],
  ["mqtts://broker:8883 (client) refused us", "(broker) (client) refused us"],
  [
    "TLS: Hostname/IP does not match certificate's altnames: Host: broker. is not in the cert's " +
      "altnames: DNS:other.ship, IP Address:10.0.0.6 (ERR_X)",
    "TLS: Hostname/IP does not match certificate's altnames (ERR_X)",
  ],
  ["broker:8883 is silent", "(broker) is silent"],
  ["mqtt.url = mqtt://user:secret@other:1 is wrong", "mqtt.url = (address) is wrong"],
  [
    "TLS: Hostname/IP does not match certificate's altnames: " +
      "IP: 10.0.0.5 is not in the cert's list: 10.0.0.6 (ERR_X)",
    "TLS: Hostname/IP does not match certificate's altnames (ERR_X)",
  ],
  ["subscription to bwts/BWTS-001/# was refused", "subscription to bwts/BWTS-001/# was refused"],
  ["at 2.5 W/m2 and 30/60 s", "at 2.5 W/m2 and 30/60 s"],
] as const;

const told = PROBLEMS.map(([problem]) => problem);
const readiness = {
  ...READY,
  ready: false,
  reasons: told,
  mqtt: {
    ...READY.mqtt,
    mode: "client",
    where: "mqtts://broker:8883",
    problem: "broker:8883 is silent",
  },
  disk: { free_bytes: null, problem: told[2] },
  certificates: [{ use: "http", ends: "2027-01-01T00:00:00.000Z", problem: told[0] }],
} as const;

test("each problem keeps its words and loses its places", () => {
  const shown = shownToStrangers({ ...readiness, reasons: [...told], certificates: [] });
  expect(shown.reasons).toEqual(PROBLEMS.map(([, cleaned]) => cleaned));
});

test("/readyz tells places to a token and to nobody else", async () => {
  const whole = { ...readiness, reasons: [...told], certificates: [...readiness.certificates] };
  const http = await openHttpRig({ readiness: () => whole });
  const ask = async (more: string) =>
    (await exchange(http, `GET /readyz HTTP/1.1\r\nHost: ship\r\nConnection: close\r\n${more}\r\n`))
      .body;
  for (const stranger of ["", "Authorization: Bearer wrong\r\n"]) {
    const body = await ask(stranger);
    expect(body).not.toMatch(/\/(etc|mnt|data)|My Disk|broker:8883|10\.0\.0\.5|secret/);
    expect(JSON.parse(body)).toMatchObject({ ready: false, mqtt: { mode: "client", where: "" } });
  }
  expect(JSON.parse(await ask(`Authorization: Bearer ${TOKEN}\r\n`))).toEqual(whole);
  await http.close();
});
