// The inspection sheet requested over HTTP. A reader makes it, the writer records that it is given
// out and by whom, the signer signs the head for it. One print is made at a time.

import type { By } from "../../bwts/audit.ts";
import type { Inspection } from "../../bwts/documents/inspection.ts";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";
import type { Clock } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { HttpOptions } from "../../http/route.ts";
import { type Client, type TurnLimits, Turns } from "../../http/turns.ts";
import { ReadersBusy } from "../../sqlite/file/query.ts";
import type { Readers } from "../../sqlite/threads/readers.ts";
import type { Writer } from "../../sqlite/threads/writer.ts";
import { printedSheet } from "./printed-sheet.ts";
import { sheetSource } from "./sheet-source.ts";
import type { LedgerSigner } from "./signer.ts";

interface SheetParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly build: Build;
  readonly isSimulated: boolean;
  readonly readers: Readers | null;
  readonly writer: Pick<Writer, "call"> | null;
  readonly signer: LedgerSigner | null;
}

/** Limits of the queue of prints: one is made at a time, and a few officers may wait. */
const PRINTS: TurnLimits = { taken_max: 1, waiting_max: 16, slow_ms: 2000 };

export function askedSheet(parts: SheetParts): HttpOptions["inspection"] {
  const { config, clock, build, isSimulated } = parts;
  const source = sheetSource(config, build, isSimulated);
  const asked = () => ({ name: "inspection", now_ms: clock.now_ms(), source }) as const;
  const turns = new Turns(PRINTS);

  const printed = async (by: By, client: Client): Promise<Uint8Array> => {
    const { readers, writer, signer } = parts;
    if (readers === null || writer === null || signer === null)
      throw new Failure(EXIT.temporary, "the database is being opened");
    const tools = {
      read: () => sheetOf(readers, asked()),
      giveOut: (ids: readonly number[]) => writer.call("print_sheet", { ids: [...ids] }, by),
      sign: () => signer.sign("print"),
      requireWanted() {
        if (client.isGone()) throw new ReadersBusy("nobody waits for this print any more");
      },
    };
    const sheet = await printedSheet(tools);
    return Buffer.from(JSON.stringify(sheet));
  };
  return {
    asked,
    async print(by, client) {
      const turn = await turns.take(client);
      try {
        return await printed(by, client);
      } finally {
        turns.give(turn);
      }
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
