// Recalls from the office what a box lost when it was restored from a backup: the ship's segments
// that aren't on the line which this box continues. Each is proven as part of this ship's chain by
// its hashes and by the link before it, which is aboard or was recalled before.

import type { Config } from "../config/config.ts";
import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { EMPTY_CHAIN } from "../sqlite/file/hash-chain.ts";
import { type Connection, prepare } from "../sqlite/file/open.ts";
import type { Block } from "../sqlite/sealed/block.ts";
import { segmentBlock } from "../sqlite/sealed/segment-block.ts";
import { provenBytes } from "../sqlite/sealed/segment-proof.ts";
import type { LinkPlace, LostSegment } from "./connection.ts";
import { meetShore, type TrialContext } from "./trial.ts";

/**
 * A lost segment: its readings, null if the office never got them, or the reason why it isn't
 * taken.
 */
export type RecallResult =
  | { readonly number: number; readonly readings: Block | null }
  | { readonly number: number; readonly problem: string };

/**
 * The lost segments in order. Throws a Failure if the office can't be reached, or shares no segment
 * with this box.
 */
export async function* recalled(
  settings: Config["shore"],
  tried: TrialContext,
): AsyncGenerator<RecallResult, void> {
  const { connection, hello, server } = await meetShore(settings, tried);
  try {
    const { common } = hello.chains.segment;
    const own = hashAboard(tried.db, common);
    if (own === null)
      throw new Failure(
        EXIT.failed,
        `${server}: the shore and this box have no segment in common, so nothing is known as lost`,
      );
    const known = new Set<string>();
    let after: LinkPlace = { number: 0, hash: EMPTY_CHAIN.hash };
    for (;;) {
      const lost = await connection.lostSegment({ number: common, hash: own }, after);
      if (lost === null) return;
      if (!isBehind(lost, after)) throw new Error("the shore repeats itself");
      after = lost;
      if (isAboard(tried.db, lost)) continue;
      yield proven(tried.db, lost, known);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.unavailable, `${server}: ${messageOf(error)}; run it again to go on`);
  } finally {
    await connection.end();
  }
}

/**
 * Adds a segment whose hash follows from a known one to the known ones, even if its readings were
 * altered.
 */
function proven(db: Connection, lost: LostSegment, known: Set<string>): RecallResult {
  const { number, previous, hash, body: header, digest: payload_hash, payload, object } = lost;
  const before = { number: number - 1, hash: previous };
  const isFollower = known.has(nameOf(before)) || isAboard(db, before);
  if (!isFollower) return { number, problem: "the segment before it isn't known" };
  try {
    const row = { id: number, header, payload_hash, hash, previous };
    const span = { first_ms: 0, last_ms: 0, count: 0 };
    provenBytes(number, { ...row, ...span, payload: null });
    known.add(nameOf(lost));
    if (payload === null && object !== null) return { number, problem: IN_STORE };
    const bytes = provenBytes(number, { ...row, ...span, payload });
    const readings = bytes.payload === null ? null : segmentBlock(bytes.header, bytes.payload);
    return { number, readings };
  } catch (error) {
    return { number, problem: messageOf(error) };
  }
}

const IN_STORE =
  "its readings lie in the office's store of objects, which a ship can't read: the office " +
  "exports them from its fleet page, and ballastd import takes them";

/** True if `lost` comes after the other place, in the order in which the office lists them. */
function isBehind(lost: LinkPlace, { number, hash }: LinkPlace): boolean {
  return lost.number > number || (lost.number === number && Buffer.compare(lost.hash, hash) > 0);
}

const nameOf = ({ number, hash }: LinkPlace) => `${number} ${Buffer.from(hash).toString("hex")}`;

function isAboard(db: Connection, { number, hash }: LinkPlace): boolean {
  const found = hashAboard(db, number);
  return found !== null && Buffer.from(found).equals(hash);
}

function hashAboard(db: Connection, id: number): Uint8Array | null {
  return prepare(db, "segment.hash").get({ id })?.hash ?? null;
}
