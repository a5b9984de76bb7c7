// The inspection sheet that is asked for over HTTP: a reader makes it, the writer notes what is
// given out, the signer signs the head for it. One print is made at a time. Prints with a token
// wait for their turn; all strangers who ask before their turn comes get the same print. So
// strangers have at most one print made and one waiting, however often they ask.

import { ACTORS, type By } from "../../bwts/audit.ts";
import type { Inspection } from "../../bwts/inspection/inspection.ts";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";
import type { Clock } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { HttpOptions } from "../../http/route.ts";
import { type Client, type TurnLimits, Turns } from "../../http/turns.ts";
import { EVER, ReadersBusy } from "../../sqlite/file/query.ts";
import type { Readers } from "../../sqlite/threads/readers.ts";
import type { Writer } from "../../sqlite/threads/writer.ts";
import type { LedgerSigner } from "../ledger/signer.ts";
import { printedSheet } from "./printed-sheet.ts";
import { sheetSource } from "./sheet-source.ts";

interface SheetParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly build: Build;
  readonly isSimulated: boolean;
  readonly readers: Readers | null;
  readonly writer: Pick<Writer, "call"> | null;
  readonly signer: LedgerSigner | null;
}

/** Prints are made one after the other, so that they share a head; a few officers may wait. */
const PRINTS: TurnLimits = { taken_max: 1, waiting_max: 16, slow_ms: 2000 };

/** The strangers who wait for one print that hasn't begun. */
interface WaitingStrangers {
  readonly clients: Client[];
  readonly isGone: () => boolean;
  readonly printed: Promise<Uint8Array>;
}

export function askedSheet(parts: SheetParts): HttpOptions["inspection"] {
  const { config, clock, build, isSimulated } = parts;
  const source = sheetSource(config, build, isSimulated);
  const asked = () => ({ name: "inspection", now_ms: clock.now_ms(), source }) as const;
  const turns = new Turns(PRINTS);
  let strangers: WaitingStrangers | null = null;

  const printed = async ({ actor, address }: By, client: Client): Promise<Uint8Array> => {
    const { readers, writer, signer } = parts;
    if (readers === null || writer === null || signer === null)
      throw new Failure(EXIT.temporary, "the database is being opened");
    const tools = {
      read: () => sheetOf(readers, asked()),
      giveOut: (ids: readonly number[]) =>
        writer.call("give_out", { ids: [...ids], range: EVER }, { actor, address }),
      sign: () => signer.sign("print"),
      requireWanted() {
        if (client.isGone()) throw new ReadersBusy("nobody waits for this print any more");
      },
    };
    const sheet = await printedSheet(tools, { byAnybody: actor === ACTORS.stranger });
    return Buffer.from(JSON.stringify(sheet));
  };
  /** Prints when the client's turn comes; `begin` is called then, or when it can't come. */
  const printInTurn = async (by: By, client: Client, begin = () => {}): Promise<Uint8Array> => {
    const turn = await turns.take(client).finally(begin);
    try {
      return await printed(by, client);
    } finally {
      turns.give(turn);
    }
  };
  const gather = (by: By): WaitingStrangers => {
    const clients: Client[] = [];
    const isGone = () => clients.every((one) => one.isGone());
    const begin = () => {
      if (strangers?.clients === clients) strangers = null;
    };
    const printed = printInTurn(by, { address: "", isGone, cut() {} }, begin);
    return { clients, isGone, printed };
  };
  return {
    asked,
    print(by, client) {
      if (by.actor !== ACTORS.stranger) return printInTurn(by, client);
      // One that all have left has lost its turn.
      if (strangers === null || strangers.isGone()) strangers = gather(by);
      strangers.clients.push(client);
      return strangers.printed;
    },
  };
}

async function sheetOf(
  readers: Readers,
  query: ReturnType<HttpOptions["inspection"]["asked"]>,
): Promise<Inspection> {
  const { chunks } = await readers.ask(query);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks ?? []) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString());
}
