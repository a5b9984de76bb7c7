// Times of receipt in a stopped ship's database, changed as a clock that ran ahead would have left
// them: the program itself stamps what it receives, so that no message can bring one.

import { openWriter, prepare } from "../../src/sqlite/file/open.ts";
import { withChecksum } from "../../src/sqlite/file/row-checksum.ts";
import { readingOf } from "../../src/sqlite/sealed/block.ts";
import { besideReading, encodeRow } from "../../src/sqlite/sealed/row.ts";

/** Gives every hot reading another time of receipt. */
export function receiveAt(file: string, received_ms: number): void {
  const db = openWriter(file);
  for (const stored of prepare(db, "reading.all").all({})) {
    db.exec(`delete from reading where at_ms = ${stored.at_ms}`);
    const keyed = { ...stored, received_ms };
    prepare(db, "reading.put").run({
      ...keyed,
      row: withChecksum(encodeRow(readingOf(stored)), besideReading(keyed)),
    });
  }
  db.close();
}
