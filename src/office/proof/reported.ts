// Compares the reports of a ship's boxes with the data here. A report names how far the office had
// acknowledged each chain and the ledger: that much was committed here, so less means that data was
// removed, with its branch's end too. Data that a box hadn't sent yet is no fault. A box sends its
// report ahead of all but alerts, events and the audit log, so a box without a report has lost it
// here.

import { Report } from "../../bwts/documents/document.ts";
import { CHAINS, type ChainName } from "../../sqlite/file/hash-chain.ts";
import { STATEMENT_KINDS } from "../../sqlite/file/ledger.ts";
import type { Office } from "../office.ts";

const Said = Report.pick({ heads: true, ashore: true, ledger: true });
type LedgerSaid = NonNullable<Report["ledger"]>;

/** The reports of a ship, to be compared with a chain's links while these are walked over. */
export interface ReportComparison {
  /** Takes a link that is here. */
  found(chain: ChainName, number: number, hash: string): void;
  /** The first acknowledged link that is missing here; null without any. */
  missing(chain: ChainName): string | null;
  /** The links that a box had when it reported, and that aren't here yet; null without any. */
  behind(chain: ChainName): string | null;
  /** Missing documents of the ledger, and missing reports. */
  missingDocuments(here: LedgerHere): readonly string[];
}

/** The ledger's documents that are here. */
export interface LedgerHere {
  /** The highest number of each kind of statement. */
  readonly statements: ReadonlyMap<string, number>;
  /** The highest number of a signed head; 0 without one. */
  readonly head: number;
  /** Sizes and roots, in base64, of the signed heads. */
  readonly roots: ReadonlySet<string>;
}

/** A row of office.reports: a box, whether it has sent data, and its report. */
interface BoxRow {
  readonly instance: string;
  readonly body: unknown;
  readonly has_sent: boolean;
}

export async function openReported(office: Office, ship: string): Promise<ReportComparison> {
  const rows = await office.ask<BoxRow>("office.reports", [ship]);
  // Written by a ship, so a report may be anything.
  const reports = rows.flatMap(({ body }) => Said.safeParse(body).data ?? []);
  const lost = rows.filter(({ body, has_sent }) => has_sent && !Said.safeParse(body).success);
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
    behind(chain) {
      const told = Math.max(0, ...reports.map(({ heads }) => heads[chain][0]));
      if (told <= highest[chain]) return null;
      return `${chain} ${highest[chain] + 1} to ${told}, which a report has and which isn't here`;
    },
    missingDocuments(here) {
      return [
        ...lost.map(({ instance }) => `the report of the box ${instance} isn't here, or isn't one`),
        ...reports.flatMap(({ ledger }) => (ledger === null ? [] : ledgerMissing(ledger, here))),
      ];
    },
  };
}

function ledgerMissing(
  [size, root, head, statements]: LedgerSaid,
  here: LedgerHere,
): readonly string[] {
  const missing = (name: string, newest: number, told: number) =>
    told > newest ? [`${name} ${newest + 1}: isn't here, but was acknowledged up to ${told}`] : [];
  const isRoot = size === 0 || here.roots.has(`${size} ${root}`);
  return [
    ...missing("signed head", here.head, head),
    ...STATEMENT_KINDS.flatMap((kind, place) =>
      missing(kind, here.statements.get(kind) ?? 0, statements[place]),
    ),
    ...(isRoot ? [] : [`the signed head of ${size} leaves that a report names isn't here`]),
  ];
}

const hexOf = (base64: string) => Buffer.from(base64, "base64").toString("hex");
const nameOf = (chain: string, number: number, hash: string) => `${chain} ${number} ${hash}`;
