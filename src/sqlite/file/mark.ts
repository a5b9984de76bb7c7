// Single facts in the table `mark`, and the settings of the latest start: rows with a checksum.
// `verify` checks their plausibility.

import { type Connection, prepare } from "./open.ts";
import { isWholeRow, withRowChecksum } from "./row-checksum.ts";

/** Stores a fact, in the caller's transaction. */
export function putMark(db: Connection, name: string, value: number): void {
  prepare(db, "mark.put").run(withRowChecksum({ name, value }));
}

export interface StoredSetting {
  readonly key: string;
  readonly value: string;
  readonly salt: Uint8Array | null;
}

/** Stores a setting, in the caller's transaction. */
export function putSetting(db: Connection, { key, value, salt }: StoredSetting): void {
  prepare(db, "setting.put").run(withRowChecksum({ key, value, salt }));
}

/** Gives rows of an older version their checksums, in the transaction of its migration. */
export function sumFacts(db: Connection): void {
  for (const { name, value } of prepare(db, "mark.all").all({})) putMark(db, name, value);
  for (const setting of prepare(db, "setting.all").all({})) putSetting(db, setting);
}

/** The damaged rows, as messages, and `unsummed`, the number of rows without a checksum. */
export function damagedFacts(db: Connection): {
  readonly damaged: readonly string[];
  readonly unsummed: number;
} {
  const rows = [
    ...prepare(db, "mark.all")
      .all({})
      .map((row) => ({ row, name: `mark: the row of ${row.name}` })),
    ...prepare(db, "setting.all")
      .all({})
      .map((row) => ({ row, name: `setting: the row of ${row.key}` })),
  ];
  // A file that isn't migrated yet lacks the column.
  const summed = rows.filter(({ row }) => (row.checksum ?? null) !== null);
  return {
    damaged: summed
      .filter(({ row }) => !isWholeRow(row))
      .map(({ name }) => `${name} isn't what was stored`),
    unsummed: rows.length - summed.length,
  };
}
