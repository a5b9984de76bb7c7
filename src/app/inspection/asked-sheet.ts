// The inspection sheet that is asked for over HTTP: a reader makes it, the writer notes what is
// given out, the signer signs the head for it. Two prints at a time are made one after the other,
// so that they share a head.

import { ACTORS } from "../../bwts/audit.ts";
import type { Inspection } from "../../bwts/inspection/inspection.ts";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";
import type { Clock } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { HttpOptions } from "../../http/route.ts";
import { EVER } from "../../sqlite/file/query.ts";
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

export function askedSheet(parts: SheetParts): HttpOptions["inspection"] {
  const { config, clock, build, isSimulated } = parts;
  const source = sheetSource(config, build, isSimulated);
  const asked = () => ({ name: "inspection", now_ms: clock.now_ms(), source }) as const;
  let last: Promise<unknown> = Promise.resolve();
  return {
    asked,
    print({ actor, address }) {
      const printed = last.then(() => {
        const { readers, writer, signer } = parts;
        if (readers === null || writer === null || signer === null)
          throw new Failure(EXIT.temporary, "the database is being opened");
        const tools = {
          read: () => sheetOf(readers, asked()),
          giveOut: (ids: readonly number[]) =>
            writer.call("give_out", { ids: [...ids], range: EVER }, { actor, address }),
          sign: () => signer.sign("print"),
        };
        return printedSheet(tools, { byAnybody: actor === ACTORS.stranger });
      });
      last = printed.catch(() => null);
      return printed;
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
