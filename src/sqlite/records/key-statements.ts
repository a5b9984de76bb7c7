// The statements of the ledger about keys: which key signs its heads, from which leaf on, and for
// which ship.

import { DamagedError } from "../../codec/bytes.ts";
import { sha256 } from "../../codec/merkle.ts";
import { messageOf } from "../../ground/errors.ts";
import { type KeyStatement, readKeyStatement } from "../../ledger/key-statement.ts";
import { BadNote } from "../../ledger/note.ts";
import { withoutDamage } from "../file/damage.ts";
import { leafText } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";

/** Reads a stored note. Throws a DamagedError that begins with `name` if the note is invalid. */
export function storedNote<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    throw new DamagedError(`${name}: ${messageOf(error)}`);
  }
}

/** The statements about keys, in their order. Throws a DamagedError if one is damaged. */
export function keyStatements(
  db: Connection,
): readonly (KeyStatement & { readonly index: number; readonly content: string })[] {
  const rows = prepare(db, "ledger.statements").all({ kind: "key" });
  return rows.map(({ id, kind, number, leaf, content }) => {
    const text = String(content);
    const name = `leaf ${id} of the ledger (${kind} ${number})`;
    if (leaf !== leafText({ kind, number }, sha256(Buffer.from(text))))
      throw new DamagedError(`${name}: its statement isn't what was written`);
    const said = storedNote(name, () => readKeyStatement(text));
    return { ...said, index: id - 1, content: text };
  });
}

/** The ship named in the newest statement about a key; null without one, and if it is damaged. */
export function namedShip(db: Connection): KeyStatement["ship"] {
  return withoutDamage(db, () => keyStatements(db).at(-1)?.ship ?? null);
}
