// Certificates of others: publishers who must show one, and the ship's broker, which must have one
// that is trusted, and asks for ours.

import { copyFileSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import mqtt from "mqtt";
import { afterAll, expect, test } from "vitest";
import { asHttp, asMqtt, authority, type Pair } from "../rig/certificates.ts";
import { askHttps } from "../rig/https.ts";
import { openMosquitto } from "../rig/mosquitto.ts";
import { type Program, startProgram, temporaryFolder } from "../rig/program.ts";

const dir = temporaryFolder();
afterAll(() => rmSync(dir, { recursive: true }));
const ship = authority(dir, "ship");
const first = ship.issue("first");
const plc = ship.issue("plc");
const stranger = authority(dir, "elsewhere").issue("stranger");
const CA = readFileSync(ship.ca);

/** The link to the broker in /readyz. */
async function linkOf(program: Program) {
  const [, web] = await program.waitForOutput(/web: https:\/\/127\.0\.0\.1:(\d+)\//);
  return JSON.parse((await askHttps(Number(web), "/readyz", { ca: CA })).body).mqtt;
}

test("with an authority only publishers that show its certificate are let in", async () => {
  const env = { ...asMqtt(first), BALLASTD_MQTT_TLS_CA: ship.ca, ...asHttp(first) };
  await using program = startProgram({ args: ["serve"], env });
  const [url] = await program.waitForOutput(/mqtts:\/\/127\.0\.0\.1:\d+/);
  const publish = async (pair: Pair | null) => {
    const own = pair && { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
    const client = mqtt.connect(url, { ca: CA, ...own, reconnectPeriod: 0 });
    try {
      return await new Promise((resolve) => {
        client.on("connect", () => resolve("let in")).on("error", () => {});
        client.on("close", () => resolve("refused"));
      });
    } finally {
      await client.endAsync(true);
    }
  };
  expect(await publish(plc)).toBe("let in");
  expect(await publish(null)).toBe("refused");
  expect(await publish(stranger)).toBe("refused");
  expect(await publish(ship.issue("old", -1))).toBe("refused");
  await program.waitForOutput(
    /the certificate of CN=old is refused: CERT_HAS_EXPIRED.*refused: TLS/,
  );
});

test("client mode: the broker's authority counts, and our own certificate is shown", async () => {
  const broker = await openMosquitto(null, { ...ship.issue("broker"), ca: ship.ca });
  const files = { cert: path.join(dir, "client.pem"), key: path.join(dir, "client.key") };
  copyFileSync(stranger.cert, files.cert);
  copyFileSync(stranger.key, files.key);
  try {
    const env = {
      BALLASTD_MQTT_MODE: "client",
      BALLASTD_MQTT_URL: broker.url,
      BALLASTD_MQTT_TLS_CA: ship.ca,
      ...asMqtt(files),
      ...asHttp(first),
    };
    await using program = startProgram({ args: ["serve"], env });
    await program.waitForOutput(new RegExp(`MQTT: ${broker.url} \\(client\\)`));
    await program.waitUntil("the broker's refusal", async () =>
      /not connected since .*: .*(unknown ca|alert|certificate)/i.test(
        (await linkOf(program)).problem,
      ),
    );
    copyFileSync(plc.cert, files.cert);
    copyFileSync(plc.key, files.key);
    await program.waitUntil("the connection", async () => (await linkOf(program)).connected);
  } finally {
    await broker.close();
  }
});

test("client mode: a broker of another authority is not trusted, and it says why", async () => {
  const broker = await openMosquitto(null, { ...stranger, ca: ship.ca });
  try {
    const env = {
      BALLASTD_MQTT_MODE: "client",
      BALLASTD_MQTT_URL: broker.url,
      BALLASTD_MQTT_TLS_CA: ship.ca,
      ...asHttp(first),
    };
    await using program = startProgram({ args: ["serve"], env });
    await program.waitUntil("the reason", async () =>
      (await linkOf(program)).problem.includes("unable to verify the first certificate"),
    );
  } finally {
    await broker.close();
  }
});
