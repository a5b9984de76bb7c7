// A database of more than 2 GiB, which no buffer can hold: salvaged page by page, in little memory.
// The file is a small real one with a hole behind it, which isn't walked, and a page at its end: it
// takes no room on the disk and no time.

import { closeSync, openSync, readSync, statSync, truncateSync, writeSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { emptyHarvest, harvest } from "../../../../src/sqlite/care/found-rows.ts";
import { openPageFile } from "../../../../src/sqlite/care/page-file.ts";
import { mendHeader } from "../../../../src/sqlite/care/source.ts";
import { columnsOf } from "../../../../src/sqlite/care/tables.ts";
import { openBytes } from "../../../../src/sqlite/file/file-bytes.ts";
import { databaseFile } from "../../../../src/sqlite/file/open.ts";
import { openRig, removeFolders } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";

const LARGE_BYTES = 2 ** 31 + 2 ** 24;
const PAGE = 4096;

afterAll(removeFolders);

test("a file of more than 2 GiB is read page by page", () => {
  const rig = openRig();
  const readings = Array.from({ length: 600 }, (_, index) => ({
    timestamp: AT_MS - index * MINUTE_MS,
    SYS_PRESSURE: index / 8,
  }));
  rig.store.commit([messageOf("telemetry", readings)]);
  rig.store.sealOld(RECEIVED_MS + DAY_MS);
  rig.db.pragma("wal_checkpoint(truncate)");
  const columns = columnsOf(rig.db);
  const file = databaseFile(rig.dir);
  rig.close();
  truncateSync(file, LARGE_BYTES);
  const end = Buffer.alloc(PAGE, "the last page ");
  const made = openSync(file, "r+");
  writeSync(made, end, 0, PAGE, LARGE_BYTES - PAGE);
  closeSync(made);

  mendHeader(file);
  const header = Buffer.alloc(100);
  const opened = openSync(file, "r");
  readSync(opened, header, 0, 100, 0);
  closeSync(opened);
  expect(header.readUInt32BE(28)).toBe(LARGE_BYTES / PAGE);
  expect(statSync(file).size).toBe(LARGE_BYTES);

  const before = process.memoryUsage().rss;
  const found = emptyHarvest();
  const pages = openPageFile(file, null);
  const walked = { ...pages, pages: () => until(pages.pages(), () => found.segments.size > 0) };
  harvest(walked, columns, found);
  expect(found.segments.get(1)?.[0].read()).toMatchObject({ id: 1, count: 600 });
  pages.close();
  const bytes = openBytes(file);
  const piece = Buffer.alloc(2 * PAGE);
  expect(bytes.fill(piece, LARGE_BYTES - 2 * PAGE)).toBe(2 * PAGE);
  expect(piece.equals(Buffer.concat([Buffer.alloc(PAGE), end]))).toBe(true);
  expect(bytes.read(LARGE_BYTES - PAGE, PAGE).equals(end)).toBe(true);
  bytes.close();
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
});

function* until<Item>(items: Iterable<Item>, isEnough: () => boolean): Generator<Item> {
  for (const item of items) {
    yield item;
    if (isEnough()) return;
  }
}
