// HTTPS and MQTTS of the built program: who gets in and who doesn't, what it prints and tells, and
// that certificates change under it without a restart.

import { copyFileSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import { connect as connectPlain } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import mqtt from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../src/ground/errors.ts";
import { fixedHeader } from "../../src/mqtt/framing.ts";
import { CONNECT_MAX_BYTES } from "../../src/mqtt/guard.ts";
import { asHttp, asMqtt, authority, type Pair } from "../rig/certificates.ts";
import { askHttps } from "../rig/https.ts";
import { until } from "../rig/mqtt-receiver.ts";
import { PATIENT_CLIENT } from "../rig/patience.ts";
import { type Program, runProgram, startProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const dir = temporaryFolder();
afterAll(() => rmSync(dir, { recursive: true }));
const ship = authority(dir, "ship");
const first = ship.issue("first");
const second = ship.issue("second");
const CA = readFileSync(ship.ca);

const ask = (port: number, target: string, options: https.RequestOptions = {}) =>
  askHttps(port, target, { ca: CA, ...options });

interface Ports {
  readonly web: number;
  readonly broker: number;
}

async function portsOf(program: Program): Promise<Ports> {
  const [, web] = await program.waitForOutput(/web: https:\/\/127\.0\.0\.1:(\d+)\//);
  const [, broker] = await program.waitForOutput(/MQTT: mqtts:\/\/127\.0\.0\.1:(\d+) \(embedded/);
  return { web: Number(web), broker: Number(broker) };
}

describe("with a certificate of its own", () => {
  let program: Program;
  let ports: Ports;
  beforeAll(async () => {
    program = startProgram({ args: ["serve"], env: { ...asHttp(first), ...asMqtt(first) } });
    ports = await portsOf(program);
  });
  afterAll(() => program[Symbol.asyncDispose]());

  test("readings go in by MQTTS and come out by HTTPS", async () => {
    const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${ports.broker}`, {
      ...PATIENT_CLIENT,
      ca: CA,
    });
    const payload = JSON.stringify({ timestamp: "2026-05-01T10:00:00Z", UVR_INTENSITY: 648.5 });
    await client.publishAsync("bwts/BWTS-001/telemetry", payload, { qos: 1 });
    await client.endAsync();
    const { body } = await ask(ports.web, "/api/telemetry/latest");
    expect(JSON.parse(body)).toMatchObject({ UVR_INTENSITY: 648.5 });
  });

  test.each(["TLSv1", "TLSv1.1"] as const)("%s is refused at both ports", async (version) => {
    const old = { minVersion: version, maxVersion: version, ciphers: "ALL:@SECLEVEL=0" } as const;
    for (const port of [ports.web, ports.broker])
      await expect(shake(port, old)).rejects.toThrow(/protocol version|unsupported protocol/i);
  });

  test("TLS 1.2 is spoken", async () => {
    for (const port of [ports.web, ports.broker]) {
      const socket = await shake(port, { maxVersion: "TLSv1.2" });
      expect(socket.getProtocol()).toBe("TLSv1.2");
      socket.destroy();
    }
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("%s sessions are not resumed", async (version) => {
    for (const port of [ports.web, ports.broker]) {
      const earlier: Buffer[] = [];
      const one = await shake(port, { maxVersion: version });
      one.on("session", (session) => earlier.push(session));
      await pause(100);
      one.destroy();
      const session = earlier.at(-1) ?? one.getSession();
      const other = await shake(port, { maxVersion: version, session });
      expect(other.isSessionReused()).toBe(false);
      other.destroy();
    }
  });

  test("plain HTTP at the HTTPS port is told so, and logged once", async () => {
    for (let count = 0; count < 2; count += 1) {
      const answer = await sendPlain(ports.web, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request.*this port serves HTTPS/);
    }
    await program.waitForOutput(/"address":"127.0.0.1".*plain HTTP came to/);
    const told = program.stderr().match(/"address":"127.0.0.1".*plain HTTP came to/g);
    expect(told).toHaveLength(1);
  });

  test("plain text at either port does no harm", async () => {
    for (const port of [ports.web, ports.broker])
      expect(await sendPlain(port, "hello, are you there?\r\n\r\n")).not.toContain("HTTP");
    expect((await ask(ports.web, "/healthz")).status).toBe(200);
  });

  test("/readyz and /metrics tell when certificates end, /docs shows https", async () => {
    const { body } = await ask(ports.web, "/readyz");
    const ends = expect.stringMatching(/^20\d\d-.*Z$/);
    expect(JSON.parse(body)).toMatchObject({
      ready: true,
      certificates: [
        { use: "http", ends, problem: null },
        { use: "mqtt", ends, problem: null },
      ],
    });
    const docs = await ask(ports.web, "/docs");
    expect(docs.body).toContain(`&#39;https://127.0.0.1:${ports.web}/api/stats&#39;`);
    const metrics = await ask(ports.web, "/metrics");
    expect(metrics.body).toMatch(
      /ballastd_certificate_expiry_timestamp_seconds{use="http"} \d{10}\n/,
    );
  });

  test(
    "a thousand handshakes that never end leave a publisher and a reader unharmed",
    LONG,
    async () => {
      const silent = Array.from({ length: 1000 }, (_, index) =>
        connectPlain(index % 2 === 0 ? ports.web : ports.broker, "127.0.0.1").on("error", () => {}),
      );
      const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${ports.broker}`, {
        ...PATIENT_CLIENT,
        ca: CA,
      });
      await client.publishAsync("bwts/BWTS-001/telemetry", "{}", { qos: 1 });
      expect((await ask(ports.web, "/healthz")).status).toBe(200);
      await client.endAsync();
      for (const socket of silent) socket.destroy();
    },
  );

  test("the limits before CONNECT hold behind the handshake too", async () => {
    const socket = await shake(ports.broker, {});
    socket.write(fixedHeader(0x10, CONNECT_MAX_BYTES));
    await new Promise((closed) => socket.once("close", closed).resume());
    const { body } = await ask(ports.web, "/metrics");
    expect(body).toContain('ballastd_mqtt_total{kind="oversized_packets"} 1\n');
  });

  test("a handshake that never ends is cut", async () => {
    const answers = [ports.web, ports.broker].map((port) => sendPlain(port, ""));
    expect(await Promise.all(answers)).toEqual(["", ""]);
  });
});

test("certificates change on disk and by SIGHUP, and open connections live on", async () => {
  const files = { cert: path.join(dir, "live.pem"), key: path.join(dir, "live.key") };
  const put = (pair: Pair) => {
    copyFileSync(pair.cert, files.cert);
    copyFileSync(pair.key, files.key);
  };
  put(first);
  await using program = startProgram({
    args: ["serve"],
    env: { ...asHttp(files), ...asMqtt(files) },
  });
  const ports = await portsOf(program);
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  const before = await ask(ports.web, "/healthz", { agent });
  const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${ports.broker}`, {
    ...PATIENT_CLIENT,
    ca: CA,
  });
  put(second);
  await program.waitUntil("the second certificate", async () =>
    (await Promise.all([ports.web, ports.broker].map(shownAt))).every((name) => name === "second"),
  );
  expect((await ask(ports.web, "/healthz", { agent })).port).toBe(before.port);
  await client.publishAsync("bwts/BWTS-001/telemetry", "{}", { qos: 1 });
  expect(client.reconnecting).toBe(false);
  put({ ...first, key: second.key });
  process.kill(program.pid, "SIGHUP");
  await program.waitForOutput(/can't be used, the one before stays/);
  expect(await shownAt(ports.web)).toBe("second");
  const { certificates, ready } = JSON.parse((await ask(ports.web, "/readyz")).body);
  expect(ready).toBe(true);
  expect(certificates[0].problem).toContain("http.tls_key");
  await program.waitUntil("an alert of the certificate", async () => {
    const [alert] = JSON.parse((await ask(ports.web, "/api/alarms?state=open")).body);
    return alert?.code === "CERTIFICATE_ENDS" && alert.description.includes("(file)");
  });
  put(first);
  process.kill(program.pid, "SIGHUP");
  await program.waitUntil("the first again", async () => (await shownAt(ports.web)) === "first");
  await client.endAsync();
  agent.destroy();
  expect(await program.stop("SIGTERM")).toEqual({ code: EXIT.ok, signal: null });
});

test("a certificate that has ended is served, and loudly so", LONG, async () => {
  const ended = ship.issue("ended", -1);
  await using program = startProgram({
    args: ["serve"],
    env: { ...asHttp(ended), ...asMqtt(first) },
  });
  const { web } = await portsOf(program);
  const { body } = await ask(web, "/readyz", { rejectUnauthorized: false });
  expect(JSON.parse(body)).toMatchObject({ ready: true });
  expect(body).toContain("the certificate ended on");
  await program.waitForOutput(/"level":40.*the certificate ended on/);
});

test.each([
  [
    asHttp({ ...first, cert: path.join(dir, "none.pem") }),
    /http\.tls_cert .*none\.pem doesn't exist/,
  ],
  [asMqtt({ ...first, key: second.key }), /mqtt\.tls_key .*second\.key doesn't belong to/],
])("files that can't be used end the start with 78 and one line", async (env, line) => {
  const { code, stderr } = await runProgram({ args: ["serve"], env });
  expect(code).toBe(EXIT.config);
  expect(stderr).toMatch(line);
  expect(stderr.trim()).not.toContain("\n");
});

/** The name in the certificate that a new connection is shown. */
async function shownAt(port: number): Promise<string> {
  const socket = await shake(port, {});
  const name = socket.getPeerX509Certificate()?.subject.replace("CN=", "") ?? "";
  socket.destroy();
  return name;
}

function shake(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca: CA, ...options }, () => resolve(socket));
    socket.on("error", reject);
  });
}

/** The bytes received until the other side closes. */
async function sendPlain(port: number, sent: string): Promise<string> {
  const socket = connectPlain(port, "127.0.0.1");
  let received = "";
  let closed = false;
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1").replace(/[^ -~]/g, "");
  });
  socket
    .on("error", () => {})
    .on("close", () => {
      closed = true;
    });
  socket.write(sent);
  await until("the port to be closed", () => closed);
  return received;
}
