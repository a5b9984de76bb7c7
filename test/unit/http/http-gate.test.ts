// Access by role, the limit of failed attempts, and
// their entries in the audit log.

import { networkInterfaces } from "node:os";
import { afterEach, expect, test } from "vitest";
import type { Http } from "../../../src/app/server.ts";
import type { Happening } from "../../../src/bwts/audit.ts";
import { clientAddress, countedAddress } from "../../../src/ground/admission.ts";
import { FAILURES_MAX, openAttempts } from "../../../src/ground/attempts.ts";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import type { HttpOptions } from "../../../src/http/route.ts";
import { exchange, openHttpRig, SILENT, TOKEN } from "../../rig/http-server-rig.ts";

const open: Http[] = [];
afterEach(async () => {
  for (const http of open.splice(0)) await http.close();
});

async function gated(options: Partial<HttpOptions> = {}) {
  const noted: Happening[] = [];
  const http = await openHttpRig({ ...options, note: (happening) => noted.push(happening) });
  open.push(http);
  const get = (path: string, token: string | null) => {
    const header = token === null ? "" : `Authorization: Bearer ${token}\r\n`;
    return exchange(
      http,
      `GET ${path} HTTP/1.1\r\nHost: ship\r\nConnection: close\r\n${header}\r\n`,
    );
  };
  return { http, noted, get };
}

test("a role that is too little is 403, names those that do, and is no failure", async () => {
  const { get, noted } = await gated();
  for (let count = 0; count <= FAILURES_MAX; count += 1) {
    const answer = await get("/admin/audit", "viewer-token");
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toEqual({
      error: 403,
      message: "the token viewer has the role viewer, expected engineer or maintainer",
      reasons: [
        { code: "role_small", values: { name: "viewer", role: "viewer", needed: "engineer" } },
      ],
    });
  }
  expect((await get("/admin/audit", "engineer-token")).status).toBe(200);
  expect((await get("/admin/audit", TOKEN)).status).toBe(200);
  const kinds = noted.map(({ kind, actor, address }) => `${kind} ${actor} ${address}`);
  expect(kinds.slice(0, 2)).toEqual(["login viewer 127.0.0.1", "refusal viewer 127.0.0.1"]);
  expect(kinds.filter((text) => text.startsWith("login"))).toHaveLength(3);
});

test("after too many wrong tokens from an address wrong ones wait, right ones don't", async () => {
  const { get, noted } = await gated();
  for (let count = 0; count < FAILURES_MAX; count += 1)
    expect((await get("/admin/audit", `wrong-${count}`)).status).toBe(401);
  const answer = await get("/admin/audit", "wrong again");
  expect(answer.status).toBe(429);
  expect(JSON.parse(answer.body)).toMatchObject({ error: 429 });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await get("/admin/audit", TOKEN)).status).toBe(200);
  expect((await get("/api/events", null)).status).toBe(200);
  expect((await get("/admin/audit", null)).status).toBe(401);
  const statuses = noted.flatMap(({ kind, detail }) => (kind === "refusal" ? [detail.status] : []));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(JSON.stringify(noted)).not.toContain("wrong");
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::1", "::1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::ffff", "0:0:0:0::/64"],
])("limits count %s as %s", (remoteAddress, counted) => {
  expect(countedAddress(clientAddress({ remoteAddress }))).toBe(counted);
});

test("addresses of one IPv6 /64 have one count of failures", () => {
  const attempts = openAttempts(() => 0);
  for (let count = 0; count < FAILURES_MAX; count += 1) attempts.failed(`2001:db8::${count}:1`);
  expect(attempts.wait_s("2001:db8::abcd")).toBe(60);
  expect(attempts.wait_s("2001:db8:0:1::1")).toBeNull();
});

test("while tokens can't be known yet it is 503, and no failed attempt", async () => {
  const { get, noted } = await gated({
    holderOf: () => {
      throw new Failure(EXIT.temporary, "the database is being opened");
    },
  });
  for (let count = 0; count <= FAILURES_MAX; count += 1) {
    const answer = await get("/admin/audit", TOKEN);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect(noted).toEqual([]);
});

test("the minute of an address ends by itself, and of a thousand the oldest is forgotten", () => {
  let now_ms = 0;
  const attempts = openAttempts(() => now_ms);
  for (let count = 0; count < FAILURES_MAX; count += 1) {
    expect(attempts.wait_s("a")).toBeNull();
    attempts.failed("a");
  }
  expect(attempts.wait_s("a")).toBe(60);
  expect(attempts.wait_s("b")).toBeNull();
  now_ms = 59_500;
  expect(attempts.wait_s("a")).toBe(1);
  now_ms = 60_000;
  expect(attempts.wait_s("a")).toBeNull();
  for (let count = 0; count < FAILURES_MAX; count += 1) attempts.failed("a");
  for (let other = 0; other < 999; other += 1) attempts.failed(`other ${other}`);
  expect(attempts.wait_s("a")).not.toBeNull();
  attempts.failed("one more");
  expect(attempts.wait_s("a")).toBeNull();
});

// Without a network there is no address beyond loopback to come from.
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.runIf(outside)("a token in plain text beyond loopback is warned of once", async () => {
  const warnings: unknown[] = [];
  const log = {
    ...SILENT,
    warn: (message: string, fields: unknown) => warnings.push([message, fields]),
  };
  for (const [host, expected] of [
    ["127.0.0.1", 0],
    [outside ?? "", 1],
  ] as const) {
    warnings.length = 0;
    const { get } = await gated({ log, listen: [{ host, port: 0 }] });
    await get("/admin/audit", TOKEN);
    await get("/admin/audit", TOKEN);
    expect(warnings).toHaveLength(expected);
    expect(JSON.stringify(warnings)).not.toContain(TOKEN);
    if (expected > 0) expect(warnings).toMatchObject([[/unencrypted/, { address: host }]]);
  }
});
