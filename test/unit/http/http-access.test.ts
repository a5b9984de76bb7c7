// Read access, origins of pages, and the start
// and end of the server.

import { describe, expect, test } from "vitest";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import {
  exchange,
  openHttpRig,
  openSocket,
  scriptedReaders,
  TOKEN,
  urlOf,
} from "../../rig/http-server-rig.ts";

const END = "\r\nHost: ship\r\nConnection: close\r\n\r\n";

describe("who may read", () => {
  test("with auth.monitoring = token all but the page, /healthz and /readyz needs it", async () => {
    const closed = await openHttpRig({ monitoring: "token" });
    const status = async (path: string, authorization?: string) =>
      (await fetch(urlOf(closed) + path, { headers: authorization ? { authorization } : {} }))
        .status;
    for (const path of ["/api/stats", "/docs", "/metrics", "/openapi.json"]) {
      expect(await status(path), path).toBe(401);
      expect(await status(path, "Bearer wrong"), path).toBe(401);
      expect(await status(path, `Basic ${TOKEN}`), path).toBe(401);
      expect(await status(path, `Bearer ${TOKEN}`), path).toBe(200);
    }
    for (const path of ["/", "/healthz", "/readyz"]) expect(await status(path), path).toBe(200);
    await closed.close();
  });

  test("an empty token is nobody's", async () => {
    const closed = await openHttpRig({ monitoring: "token" });
    const answer = await exchange(
      closed,
      `GET /api/stats HTTP/1.1\r\nAuthorization: Bearer ${END}`,
    );
    await closed.close();
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("only the origins that are named may read, and none may post", async () => {
    const open = await openHttpRig({ cors_origins: ["http://bridge"] });
    const allowed = async (path: string, given: RequestInit) =>
      (await fetch(urlOf(open) + path, given)).headers.get("access-control-allow-origin");
    const bridge = { headers: { Origin: "http://bridge" } };
    expect(await allowed("/api/events", bridge)).toBe("http://bridge");
    expect(await allowed("/api/events?limit=0", bridge)).toBe("http://bridge");
    expect(await allowed("/api/events", { headers: { Origin: "http://other" } })).toBeNull();
    expect(await allowed("/api/events", {})).toBeNull();
    expect(await allowed("/plants", { method: "OPTIONS", ...bridge })).toBeNull();
    const preflight = await fetch(`${urlOf(open)}/api/events`, { method: "OPTIONS", ...bridge });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD");
    expect(preflight.headers.get("vary")).toBe("Accept-Encoding, Origin");
    await open.close();
  });
});

describe("opening and closing", () => {
  test("a port that is taken is one line that names address and setting, exit 69", async () => {
    const first = await openHttpRig();
    const [host, port] = first.addresses()[0].split(":");
    const second = openHttpRig({ listen: [{ host, port: Number(port) }] });
    const failure = await second.catch((error: unknown) => error);
    await first.close();
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ exitCode: EXIT.unavailable });
    expect(String(failure)).toContain(`${host}:${port}`);
    expect(String(failure)).toContain("(http.listen, BALLASTD_HTTP_LISTEN)");
    expect(String(failure)).not.toContain("\n");
  });

  test("closing lets an answer in progress finish and ends idle connections", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = await openHttpRig({
      readers: scriptedReaders(async function* () {
        yield "[1";
        yield ",2";
        await gate.promise;
        yield "]";
      }),
    });
    const idle = await openSocket(slow);
    const answer = await fetch(`${urlOf(slow)}/api/events`);
    const closed = slow.close();
    gate.resolve();
    expect(await answer.text()).toBe("[1,2]");
    await closed;
    expect(idle.destroyed || (await new Promise((done) => idle.once("close", done)))).toBeDefined();
  });
});
