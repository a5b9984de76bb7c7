// A ship-day at 1 Hz sent over a line of 1 Mbit/s with a round trip of 600 ms: bytes of TLS up, and
// the time. The day has 144 reports, of which the one that is sent is counted so many times; 30
// days are computed from this one, its connection and slow start included.

import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { removeFolders } from "../../test/rig/database.ts";
import type { FleetRig } from "../../test/rig/fleet-rig.ts";
import { CLEAR, openProxy } from "../../test/rig/proxy.ts";
import { shipAboard } from "../../test/rig/ship-links.ts";
import { openBox } from "../../test/rig/shore-rig.ts";

const SHIP = "9395044";
/** 23.9 h. */
const DAY = { seed: 1, segments: 42, readings: 2048 };
const LINE = { ...CLEAR, delay_ms: 300, bytes_per_s: 125_000 };
const REPORTS = 144;
/** Arguments, framing and TLS of a report beside its body, about. */
const REPORT_FRAME_BYTES = 180;
const DAYS = 30;

/** Lines of figures. */
export async function measureShipDay(fleet: FleetRig): Promise<readonly string[]> {
  const rig = shipAboard(DAY);
  const file = await fleet.add(SHIP);
  const proxy = await openProxy({ port: fleet.port });
  proxy.set({ up: LINE, down: { ...CLEAR, delay_ms: LINE.delay_ms } });
  const number = async (text: string) => Number(await fleet.psql(text));
  const own = `ship = '${SHIP}' and`;
  const began_ms = performance.now();
  const box = openBox(rig, file, { port: proxy.port });
  try {
    const whole = `select count(*) from fleet.link
      where ${own} chain = 'segment' and payload is not null`;
    while ((await number(whole)) < DAY.segments) await sleep(SECOND_MS / 10);
    const took_ms = performance.now() - began_ms;
    const up = proxy.sentUp_bytes();
    const raw = await number(`select sum(octet_length(body) + octet_length(payload))
      from fleet.link where ${own} chain = 'segment'`);
    // As it was sent: without the spaces of jsonb.
    const report =
      await number(`select octet_length(regexp_replace(body::text, '([:,]) ', '\\1', 'g'))
      from fleet.document where ${own} kind = 'report'`);
    const reports = (REPORTS - 1) * (report + REPORT_FRAME_BYTES);
    const day = DAY_MS / SECOND_MS / (DAY.segments * DAY.readings);
    const mb = (bytes: number) => (bytes / 1e6).toFixed(2);
    const minutes = ((took_ms * day * DAYS) / MINUTE_MS).toFixed(1);
    return [
      `TLS bytes up a ship-day at 1 Hz: ${mb((up + reports) * day)} MB, of which segments ` +
        `${mb(raw * day)} MB; ${REPORTS - 1} of the reports computed`,
      `all but segments: ${(((up - raw + reports) * day) / 1000).toFixed(0)} KB a ship-day`,
      `${DAYS} days at 1 Mbit/s, 600 ms: ${minutes} min, computed from a day in ` +
        `${(took_ms / SECOND_MS).toFixed(1)} s`,
    ];
  } finally {
    await box[Symbol.asyncDispose]();
    proxy.close();
    rig.close();
    removeFolders();
  }
}
