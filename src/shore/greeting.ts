// Hellos: one begins a session, with a second and closer one when the first leaves it unclear;
// short ones come in its midst. And the state that follows from the answer.

import { LEDGER_SERIES, type LedgerLocators } from "../sqlite/exchange/shore-ledger.ts";
import type { Heads, Locators } from "../sqlite/exchange/shore-links.ts";
import { CHAINS } from "../sqlite/file/hash-chain.ts";
import type { Box, ShoreConnection } from "./connection.ts";
import { commonOf, type Hello } from "./hello.ts";
import type { SessionParts } from "./parts.ts";
import type { Parted } from "./state.ts";

/** A server that only reads: another URL may lead to the one that writes. */
export class Standby extends Error {}

/**
 * Says hello; a second time, closer, if the shore's end of a chain may be one of ours. Again in a
 * session it names what the shore is known to have, and more only if that isn't there.
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
  const parted = CHAINS.flatMap((chain): readonly Parted[] => {
    const { common, head } = hello.chains[chain];
    return head > common && heads[chain] > 0 ? [{ chain, common, head }] : [];
  });
  for (const one of parted)
    if (!state.parted.some(({ chain, head }) => chain === one.chain && head === one.head))
      parts.onParted(one);
  state.parted = parted;
  return hello;
}

/** A short hello; null if the shore hasn't all that it acknowledged of each chain any more. */
async function greetAgain(
  connection: ShoreConnection,
  { box, readers, state }: SessionParts,
): Promise<Hello | null> {
  const { has } = state;
  if (has === null) return null;
  const hello = await say(connection, box, await readers.call("shore_locators_of", has.links));
  // And so it has what it acknowledged of the ledger.
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

/** Throws for a common link that this box never named, and for what is lacking beyond it. */
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

/** Takes what the shore said into the state; hours of which it knows later ones are told again. */
export async function takeOver(hello: Hello, parts: SessionParts): Promise<void> {
  const { state, writer, readers, now_ms } = parts;
  const { chains, documents, revisions, revision } = hello;
  const told = revisions.hour ?? 0;
  const { hours } = await readers.call("shore_heads");
  const own = Math.max(state.revision, hours);
  // Known since the first hello of this run; a box put back from a backup begins anew.
  const isForeign = state.revision > 0 && Object.values(revisions).some((given) => given > own);
  if (isForeign) state.misused = { ...parts.box, address: null, last_seen_ms: hello.now_ms };
  // A box put back from a backup, or a new one: its revisions begin above all others.
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
