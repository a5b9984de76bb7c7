// Hellos, and the state that follows from their answers. One begins a session, with a second,
// closer one if the first left it unclear; short ones follow during the session.

import { LEDGER_SERIES, type LedgerLocators } from "../sqlite/exchange/shore-ledger.ts";
import type { Heads, Locators } from "../sqlite/exchange/shore-links.ts";
import { CHAINS } from "../sqlite/file/hash-chain.ts";
import type { Box, ShoreConnection } from "./connection.ts";
import { commonOf, type Hello } from "./hello.ts";
import type { SessionParts } from "./parts.ts";
import type { PartedChain } from "./state.ts";

/** Thrown for a server that only reads: another URL may lead to the one that writes. */
export class Standby extends Error {}

/**
 * Says hello; a second, closer time if the office's newest link of a chain may be one of ours. A
 * repeated hello of a session names only what the office is known to have, and more only if that is
 * missing.
 */
export async function greet(
  connection: ShoreConnection,
  parts: SessionParts,
  isAgain: boolean,
): Promise<Hello> {
  const { readers, state } = parts;
  const ask = async (also: Partial<Heads>) =>
    say(connection, parts.box, await readers.call("shore_locators", also));
  const { heads } = await readers.call("shore_heads");
  const known = isAgain ? await greetAgain(connection, parts) : null;
  let hello = known ?? (await ask({}));
  const unclear = CHAINS.filter((chain) => {
    const { common, head } = hello.chains[chain];
    return head > common && head < heads[chain];
  });
  if (unclear.length > 0)
    hello = await ask(
      Object.fromEntries(unclear.map((chain) => [chain, hello.chains[chain].head])),
    );
  const parted = CHAINS.flatMap((chain): readonly PartedChain[] => {
    const { common, head } = hello.chains[chain];
    return head > common && heads[chain] > 0 ? [{ chain, common, head }] : [];
  });
  for (const one of parted)
    if (!state.parted.some(({ chain, head }) => chain === one.chain && head === one.head))
      parts.onParted(one);
  state.parted = parted;
  return hello;
}

/** Says a short hello; null if the office no longer has all that it acknowledged of each chain. */
async function greetAgain(
  connection: ShoreConnection,
  { box, readers, state }: SessionParts,
): Promise<Hello | null> {
  const { has } = state;
  if (has === null) return null;
  const hello = await say(connection, box, await readers.call("shore_locators_of", has.links));
  // Then it also has what it acknowledged of the ledger.
  const isThere = CHAINS.every((chain) => hello.chains[chain].common === has.links[chain]);
  return isThere ? { ...hello, documents: has.ledger } : null;
}

async function say(
  connection: ShoreConnection,
  box: Box,
  own: Locators & LedgerLocators,
): Promise<Hello> {
  const hello = await connection.hello(box, own);
  if (hello === null) throw new Standby("the server is a standby");
  requireOwn(hello, own);
  return hello;
}

/**
 * Throws if the answer has a common link that this box never named, or missing segments beyond it.
 */
function requireOwn({ chains, documents }: Hello, own: Locators & LedgerLocators): void {
  for (const series of LEDGER_SERIES) {
    const common = documents?.[series] ?? 0;
    if (common > 0 && !own[series].some(([number]) => number === common))
      throw new Error(`the shore's hello can't be meant: ${series} ${common} wasn't named to it`);
  }
  for (const chain of CHAINS) {
    const { common } = chains[chain];
    if (common > 0 && !own[chain].some(([number]) => number === common))
      throw new Error(`the shore's hello can't be meant: ${chain} ${common} wasn't named to it`);
  }
  const { common, lacking } = chains.segment;
  const odd = lacking.find(([first, last]) => first < 1 || last > common);
  if (odd !== undefined)
    throw new Error(
      `the shore's hello can't be meant: of segments up to ${common} it lacks ${odd}`,
    );
}

/**
 * Applies the office's hello to the state. Hours older than those that the office has are sent
 * again.
 */
export async function takeOver(hello: Hello, parts: SessionParts): Promise<void> {
  const { state, writer, readers, now_ms } = parts;
  const { chains, documents, revisions, revision } = hello;
  const told = revisions.hour ?? 0;
  const { hours } = await readers.call("shore_heads");
  const own = Math.max(state.revision, hours);
  // Revisions above our own, after the first hello of this run: another box sends with the ship's
  // key. A box restored from a backup has no revision yet.
  const isForeign = state.revision > 0 && Object.values(revisions).some((given) => given > own);
  if (isForeign) state.misused = { ...parts.box, address: null, last_seen_ms: hello.now_ms };
  // A box restored from a backup, or a new one, whose revisions must begin above all others.
  if (told > hours || (told === 0 && revision > 0 && hours > 0))
    await writer.call("renumber_hours", Math.max(revision, now_ms()));
  if (isForeign || (revisions.alarm ?? 0) === 0) state.toldAlarms.clear();
  if (isForeign) [state.forecastsTold_ms, state.reported_ms] = [null, null];
  state.revision = Math.max(state.revision, revision);
  state.has = {
    links: commonOf(hello),
    lacking: chains.segment.lacking,
    hours: told > hours ? 0 : told,
    ledger: documents,
  };
  state.others = state.misused === null ? hello.others : [state.misused, ...hello.others];
  state.clock_offset_ms = hello.now_ms - now_ms();
  state.phase = "connected";
  state.problem = null;
  state.answered = { steady_ms: performance.now(), at_ms: now_ms() };
}
