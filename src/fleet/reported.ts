// Reports of a ship's boxes, against the links that are here. A report names how far the shore had
// acknowledged each chain: that much was committed here, so less means that it was taken away, with
// its branch's end too. Links that a box had and hadn't sent yet are no fault.

import { Report } from "../bwts/shore/document.ts";
import { CHAINS, type ChainName } from "../sqlite/file/hash-chain.ts";
import type { Office } from "./office.ts";

const Said = Report.pick({ heads: true, ashore: true });

/** The reports of a ship, to be compared with the links of a chain as they are walked over. */
export interface Reported {
  /** Takes note of a link that is here. */
  found(chain: ChainName, number: number, hash: string): void;
  /** The first link that was acknowledged and isn't here; null without any. */
  missing(chain: ChainName): string | null;
}

export async function openReported(office: Office, ship: string): Promise<Reported> {
  const rows = await office.ask<{ body: unknown }>("office.reports", [ship]);
  // Written by a ship, so it may be anything.
  const reports = rows.flatMap(({ body }) => Said.safeParse(body).data ?? []);
  const highest = { segment: 0, event: 0, audit: 0 };
  const heads = new Set(
    reports.flatMap(({ heads, ashore }) =>
      CHAINS.flatMap((chain) => {
        const [number, hash] = heads[chain];
        return number > 0 && number <= ashore[chain] ? [nameOf(chain, number, hexOf(hash))] : [];
      }),
    ),
  );
  return {
    found(chain, number, hash) {
      highest[chain] = Math.max(highest[chain], number);
      heads.delete(nameOf(chain, number, hash));
    },
    missing(chain) {
      const told = Math.max(0, ...reports.map(({ ashore }) => ashore[chain]));
      if (told > highest[chain])
        return `${chain} ${highest[chain] + 1}: isn't here, but was acknowledged up to ${told}`;
      const [head] = [...heads].filter((name) => name.startsWith(`${chain} `));
      return head === undefined ? null : `${head}: isn't here, but was acknowledged`;
    },
  };
}

const hexOf = (base64: string) => Buffer.from(base64, "base64").toString("hex");
const nameOf = (chain: string, number: number, hash: string) => `${chain} ${number} ${hash}`;
