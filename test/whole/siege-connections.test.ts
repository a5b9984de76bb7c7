// Strangers who open as many bare connections as they can, under the unit's own limit of open
// files: the PLC still logs in and publishes, and the page is still served.

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { printed } from "../rig/logbook.ts";
import { root } from "../rig/sources.ts";

const unit = readFileSync(path.join(root, "systemd/ballastd.service"), "utf8");
const files_max = Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1]);
const ADDRESSES = 140;
const EACH = 30;
const LOGINS = 20;

const reading = (index: number) =>
  JSON.stringify({ timestamp: printed(Date.now() + index), UVR_INTENSITY: 500 });

test("140 addresses with 30 connections each lock out neither the PLC nor the page", async () => {
  await using appliance = await startAppliance({
    through: ["prlimit", `--nofile=${files_max}:${files_max}`],
  });
  await appliance.publish([{ kind: "telemetry", payload: reading(0) }]);
  const sockets: Socket[] = [];
  try {
    for (let address = 1; address <= ADDRESSES; address += 1) {
      const localAddress = `127.0.${address}.1`;
      const opened = Array.from({ length: EACH }, () => {
        const socket = connect({ port: appliance.mqtt_port, host: "127.0.0.1", localAddress });
        sockets.push(socket.on("error", () => null));
        return new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
      });
      await Promise.all(opened);
    }
    let done = 0;
    for (let login = 1; login <= LOGINS; login += 1) {
      const client = await appliance.connect({ clientId: "plc-1" });
      await client.publishAsync("bwts/BWTS-001/telemetry", reading(login), { qos: 1 });
      await client.endAsync();
      expect((await appliance.get("/healthz")).status).toBe(200);
      done += 1;
    }
    expect(done).toBe(LOGINS);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  expect(appliance.program.stderr()).not.toMatch(/EMFILE|could not be accepted/);
});

test("where fewer files may be opened, fewer connections are taken, which is logged", async () => {
  await using appliance = await startAppliance({ through: ["prlimit", "--nofile=512:512"] });
  expect(appliance.program.stderr()).toMatch(/"files_max":512,.*fewer connections are taken/);
  const sockets = Array.from({ length: 600 }, (_, index) =>
    connect({
      port: appliance.mqtt_port,
      host: "127.0.0.1",
      localAddress: `127.0.${1 + (index % 60)}.1`,
    }).on("error", () => null),
  );
  try {
    await appliance.program.waitUntil("connections to be cut", async () =>
      /refused_connections"} [1-9]/.test((await appliance.get("/metrics")).text),
    );
    await appliance.publish([{ kind: "telemetry", payload: reading(0) }]);
    expect((await appliance.get("/")).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  expect(appliance.program.stderr()).not.toMatch(/EMFILE|could not be accepted/);
});
