// The limits of connections against the files that the process may open.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connectionsFor } from "../../../src/app/endpoints.ts";
import { CONNECTIONS_MAX } from "../../../src/app/server.ts";
import { openFilesMax } from "../../../src/ground/open-files.ts";
import { BROKER_LIMITS } from "../../../src/mqtt/shared-limits.ts";
import { root } from "../../rig/sources.ts";

const unit = readFileSync(path.join(root, "systemd/ballastd.service"), "utf8");
const unit_max = Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1]);

/** Files that ballastd has open at rest, counted, and as many again. */
const OWN_MIN = 2 * 43;

test("under the unit's limit every kind of connection has its full number", () => {
  expect(connectionsFor(unit_max)).toEqual({
    http: CONNECTIONS_MAX,
    mqtt: BROKER_LIMITS.connections_max,
  });
});

test("all connections together leave files for ballastd itself, whatever the limit", () => {
  for (const files_max of [512, 1024, 2048, unit_max, 1_000_000]) {
    const { http, mqtt } = connectionsFor(files_max);
    expect(http + mqtt).toBeLessThan(files_max - OWN_MIN);
    expect(Math.min(http, mqtt)).toBeGreaterThan(100);
  }
});

test("under a limit that leaves nothing each kind still has a connection", () => {
  expect(connectionsFor(64)).toEqual({ http: 1, mqtt: 1 });
});

test("the limit of this process is known", () => {
  expect(openFilesMax()).toBeGreaterThan(64);
});
