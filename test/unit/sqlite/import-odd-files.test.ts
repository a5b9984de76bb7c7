// Files to import that no export wrote: records of millions of cells, cells of a hundred megabytes.
// They cost neither the other records nor the memory.

import path from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { linesOf } from "../../../src/ground/lines.ts";
import type { ImportRecord, RefusedLine } from "../../../src/payload/import.ts";
import { csvRecords } from "../../../src/sqlite/exchange/import-csv.ts";
import { sqliteRecords } from "../../../src/sqlite/exchange/import-sqlite.ts";
import { foldersOfTests } from "../../rig/folders.ts";

const newFolder = foldersOfTests(afterAll);

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const LAST = '4: {"timestamp":"T","location":"b"}';

async function textsOf(records: AsyncIterable<ImportRecord | RefusedLine>) {
  const texts: string[] = [];
  for await (const record of records)
    texts.push(`${record.line}: ${"problem" in record ? record.problem : record.json}`);
  return texts;
}

const csv = (text: string) => textsOf(csvRecords(linesOf(bytesOf(text), 5 * 1024 * 1024)));

test("a record of four million cells, the last with a quote, is refused alone", async () => {
  const found = await csv(`timestamp,location\n${",".repeat(4_000_000)}"\n"\nT,b\n`);
  expect(found).toEqual(["2: got 4000001 cells, expected 2", LAST]);
});

test("a quote is open if no complete cell ends with it", async () => {
  const cells = ['"a', '"a""', '"a,b', 'x,"a', '"x","a""', '"x""","', "x,,\"'"];
  for (const cell of cells) {
    const found = await csv(`timestamp,location\n${cell}\n"\nT,b\n`);
    expect([cell, found.at(-1), found.length]).toEqual([cell, LAST, 2]);
  }
});

test("a cell of a hundred megabytes, or a row of many, is refused without being read", async () => {
  const file = path.join(newFolder(), "huge.sqlite");
  const db = new Database(file);
  db.exec("create table reading (timestamp text primary key, location text, extra text)");
  const add = db.prepare("insert into reading values (?, printf('%.*c', ?, 'x'), ?)");
  add.run("2026-03-01T00:00:01Z", 5, null);
  add.run("2026-03-01T00:00:02Z", 100_000_000, null);
  add.run("2026-03-01T00:00:03Z", 3_000_000, "x".repeat(3_000_000));
  add.run("2026-03-01T00:00:04Z", 5, null);
  db.close();
  const before = process.memoryUsage().rss;
  expect(await textsOf(sqliteRecords(file))).toEqual([
    '1: {"timestamp":"2026-03-01T00:00:01Z","location":"xxxxx"}',
    "2: location: got a blob or over 4194304 bytes, expected a value",
    "3: the row is too long, expected at most 4194304 bytes",
    '4: {"timestamp":"2026-03-01T00:00:04Z","location":"xxxxx"}',
  ]);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});

test.each(["UTF-8", "UTF-16le", "UTF-16be"])(
  "text in %s that isn't is refused with its column; U+FFFD, an odd text and a blob are told apart",
  async (encoding) => {
    const file = path.join(newFolder(), "bytes.sqlite");
    const db = new Database(file);
    db.pragma(`encoding = '${encoding}'`);
    db.exec("create table reading (timestamp text primary key, location, operation_type text)");
    const add = db.prepare("insert into reading values (?, ?, ?)");
    const others = db.prepare("insert into reading values ('2', cast(x'd8d8d8d8' as text), null)");
    add.run("1", "K\u00f8benhavn \ufffd \u{1f6a2}", "");
    others.run();
    add.run("3", Buffer.from("blob"), null);
    add.run("4", 1.5, "\ufeffbom");
    db.close();
    expect(await textsOf(sqliteRecords(file))).toEqual([
      '1: {"timestamp":"1","location":"K\u00f8benhavn \ufffd \u{1f6a2}","operation_type":""}',
      `2: location: got other bytes, expected ${encoding.toUpperCase()}`,
      "3: location: got a blob or over 4194304 bytes, expected a value",
      '4: {"timestamp":"4","location":1.5,"operation_type":"\ufeffbom"}',
    ]);
  },
);
