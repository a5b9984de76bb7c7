// Imports a bundle into the fleet's database. First the seal over the whole file is proven: made by
// the ship's own key, and unchanged since. Then each statement goes through the same functions,
// with the same rights, as if the ship had sent it when it made the file. Known data is left out
// and counted. Each statement is its own commit, so an interrupted import continues when it is run
// again.

import { X509Certificate } from "node:crypto";
import { readBundleHead } from "../bwts/documents/bundle-head.ts";
import {
  type BundledStatement,
  type BundledValue,
  openBundle,
  type ReadAt,
} from "../codec/bundle.ts";
import { printTime } from "../ground/clock.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import type { Office, PutAsShip } from "./office.ts";
import { fleetServer } from "./server-settings.ts";

interface ImportCount {
  /** Number of new ones. */
  new: number;
  /** Number of those that were known already. */
  known: number;
}

export interface ImportedBundle {
  readonly ship: string;
  readonly name: string;
  readonly instance: string;
  /** Time at which the file was made, by the ship's clock. */
  readonly made: string;
  readonly segment: ImportCount;
  /** Segments' readings. */
  readonly payload: ImportCount;
  readonly event: ImportCount;
  readonly audit: ImportCount;
  readonly document: ImportCount;
  /** Refused parts with the reason; each stops only its own chain. */
  readonly refused: readonly { readonly what: string; readonly reason: string }[];
  /** All branches of the ship's chains, also earlier ones. */
  readonly forks: readonly string[];
}

/** Imports the bundle. Throws a Failure that says why nothing was imported, or how far it got. */
export async function importBundle(
  office: Office,
  file: string,
  { read, size }: { readonly read: ReadAt; readonly size: number },
): Promise<ImportedBundle> {
  const refuse = (problem: string) => new Failure(EXIT.failed, `${file}: ${problem}`);
  const proven = () => {
    const bundle = openBundle(read, size);
    return { bundle, head: readBundleHead(bundle.head) };
  };
  const { bundle, head } = asFailure(proven, refuse);
  const { role, instance, version, made_ms } = head;
  const certificate = asFailure(
    () => new X509Certificate(head.certificate),
    () => refuse("its head can't be read: certificate: expected a certificate in PEM"),
  );
  const { authority } = await fleetServer(office);
  if (!authority.hasIssued(certificate) || certificate.subject !== `CN=${role}`)
    throw refuse(`is sealed as ${role}'s with a key that isn't of this fleet`);
  const key = certificate.publicKey.export({ type: "spki", format: "pem" }).toString();
  if (!bundle.isSignedBy(key)) throw refuse(`was altered: the seal isn't ${role}'s`);
  const [own] = await office.ask<{ ship: string; name: string }>("office.ship_of", [role]);
  if (own === undefined)
    throw refuse(`the key ${role} was revoked: the ship makes a new bundle with her new key`);
  const known = await knownOf(office, own.ship, instance);
  // PostgreSQL reads no year beyond 9999. A time in the future counts as now.
  const now_ms = Date.now();
  const spoken = new Date(Math.min(made_ms, now_ms)).toISOString();
  const tally = newTally();
  // A later hour would make the ship believe that the office has all hours before it.
  if (known.hours < head.hours_after)
    tally.refused.set("hour", { what: "hours", reason: NO_HOURS });
  await office
    .asShip({ role, spoken }, async (ask) => {
      let spoke: Promise<void> | null = null;
      // A file without new data is no sign of life, and its clock may be ahead: the hello comes
      // with the first new statement.
      const put: PutAsShip = async (kind, values) => {
        spoke ??= ask("hello", [instance, version, "{}"]);
        await spoke;
        await ask(kind, values);
      };
      for (const statement of bundle.statements())
        await take(statement, { put, known, tally, instance, now_ms });
    })
    .catch((error) => {
      if (error instanceof Failure) throw error;
      throw refuse(`${messageOf(error)}; what came before it is taken: import the file again`);
    });
  const forks = await office.ask<{ chain: string; branch: number }>("office.forks_of", [own.ship]);
  return {
    ...{ ship: own.ship, name: own.name, instance, made: printTime(made_ms) },
    ...tally.counts,
    refused: [...tally.refused.values()],
    forks: forks.map(({ chain, branch }) => `${chain} ${branch}`),
  };
}

const ALL_HAS = "ballastd shore bundle --all has";
const NO_HOURS = `those before aren't here; ${ALL_HAS} them`;

function asFailure<Result>(work: () => Result, refuse: (problem: string) => Failure): Result {
  try {
    return work();
  } catch (error) {
    throw refuse(messageOf(error));
  }
}

/**
 * The office's data of the ship: links as chain, number and hash, true if complete with the
 * payload; revisions of documents.
 */
interface KnownAshore {
  readonly links: Map<string, boolean>;
  readonly documents: Map<string, number>;
  /** The highest revision of an hour from any box. */
  readonly hours: number;
  /** Number of the newest audit entry that the box had at its newest report in the database. */
  readonly audit: number;
}

async function knownOf(office: Office, ship: string, instance: string): Promise<KnownAshore> {
  type KnownLink = { chain: string; number: number; hash: string; is_whole: boolean };
  const links = await office.ask<KnownLink>("office.known_links", [ship]);
  type KnownDocument = { kind: string; key: string; revision: number };
  const documents = await office.ask<KnownDocument>("office.known_documents", [ship, instance]);
  const [{ hours }] = await office.ask<{ hours: number }>("office.known_hours", [ship]);
  const [said] = await office.ask<{ audit: number | null }>("office.known_audit", [ship, instance]);
  return {
    hours,
    audit: said?.audit ?? 0,
    links: new Map(
      links.map(({ chain, number, hash, is_whole }) => [`${chain} ${number} ${hash}`, is_whole]),
    ),
    documents: new Map(documents.map(({ kind, key, revision }) => [`${kind} ${key}`, revision])),
  };
}

const newTally = () => ({
  counts: {
    ...{ segment: { new: 0, known: 0 }, payload: { new: 0, known: 0 } },
    ...{ event: { new: 0, known: 0 }, audit: { new: 0, known: 0 } },
    document: { new: 0, known: 0 },
  },
  /** Number of the newest audit entry in the file. */
  audit: 0,
  refused: new Map<string, { readonly what: string; readonly reason: string }>(),
});

interface ImportParts {
  /** The present time by the office's clock. */
  readonly now_ms: number;
  readonly put: PutAsShip;
  readonly known: KnownAshore;
  readonly tally: ReturnType<typeof newTally>;
  readonly instance: string;
}

/** SQLSTATEs of a refused statement, which doesn't end the import. */
const REFUSED = /^(FL|22|23|54)...$/;

async function take(statement: BundledStatement, taking: ImportParts): Promise<void> {
  const { kind } = statement;
  if (kind === "link") return takeLink(statement, taking);
  if (kind === "document") return takeDocument(statement, taking);
  throw new Error(`has a part ${JSON.stringify(kind)}, expected link or document`);
}

async function takeLink({ values }: BundledStatement, taking: ImportParts): Promise<void> {
  const { known, tally } = taking;
  const [chain, number, , hash, , , payload] = values;
  if (chain !== "segment" && chain !== "event" && chain !== "audit")
    throw new Error(`has a link of the chain ${JSON.stringify(chain)}`);
  const place = `${chain} ${number} ${hash instanceof Uint8Array ? hex(hash) : ""}`;
  const here = known.links.get(place);
  const isSegment = chain === "segment";
  const hasPayload = isSegment && payload !== null;
  const isNews = here === undefined || (!here && hasPayload);
  if (isNews && !(await isTaken(`${chain} ${number}`, chain, "link", { values, taking }))) return;
  known.links.set(place, here === true || !isSegment || hasPayload);
  tally.counts[chain][here === undefined ? "new" : "known"] += 1;
  if (hasPayload) tally.counts.payload[here === true ? "known" : "new"] += 1;
  if (chain === "audit") tally.audit = Math.max(tally.audit, Number(number));
}

async function takeDocument({ values }: BundledStatement, taking: ImportParts): Promise<void> {
  const { known, tally } = taking;
  const [kind, key, given, body] = values;
  const place = `${kind} ${key}`;
  const here = known.documents.get(place) ?? -1;
  const revision = isLaterThanAhead(here, taking) && kind !== "hour" ? here + 1 : Number(given);
  const isNews = revision > here;
  if (isNews && kind === "hour" && tally.refused.has(kind)) return;
  const put = { values: [kind, key, revision, body], taking };
  if (isNews && !(await isTaken(place, place, "document", put))) return;
  tally.counts.document[isNews ? "new" : "known"] += 1;
}

/**
 * True if the stored document was dated by a clock that was ahead, and this file was made after it.
 * A revision is the box's time, so all later true ones would be below it. The audit log, which
 * grows with each bundle, shows the order. (Revisions of hours count up, whatever the clock.)
 */
function isLaterThanAhead(here: number, { known, tally, now_ms }: ImportParts): boolean {
  return here > now_ms && tally.audit > known.audit;
}

/**
 * Sends a statement; false if it was refused, which is recorded once for each chain, since its
 * further links are refused as well.
 */
async function isTaken(
  what: string,
  stops: string,
  kind: string,
  { values, taking }: { readonly values: readonly BundledValue[]; readonly taking: ImportParts },
): Promise<boolean> {
  const { put, tally, instance } = taking;
  if (tally.refused.has(stops)) return false;
  const given = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
  try {
    await put(kind, [instance, ...given]);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (!REFUSED.test(code)) throw error;
    const more = code === "FL001" ? `; ${ALL_HAS} it` : "";
    tally.refused.set(stops, { what, reason: `${messageOf(error)}${more}` });
    return false;
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
