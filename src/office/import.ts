// Takes a bundle into the fleet's database. Its seal is proven over the whole file before anything
// is taken: made by the ship's own key, and not changed since. Then each statement goes through the
// same functions, and with the same rights, as if the ship had sent it when she made the file. What
// is here already is left out and counted. Each is its own commit, so that an import that was cut
// goes on by being run again.

import { X509Certificate } from "node:crypto";
import { BundleHead } from "../bwts/shore/bundle-head.ts";
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
  /** New here. */
  new: number;
  /** Were here already. */
  known: number;
}

export interface ImportedBundle {
  readonly ship: string;
  readonly name: string;
  readonly instance: string;
  /** When the file was made, by the ship's clock. */
  readonly made: string;
  readonly segment: ImportCount;
  /** Readings of segments. */
  readonly payload: ImportCount;
  readonly event: ImportCount;
  readonly audit: ImportCount;
  readonly document: ImportCount;
  /** Refused parts with the reason: each stops its own chain, and nothing else. */
  readonly refused: readonly { readonly what: string; readonly reason: string }[];
  /** All branches of the ship, those of earlier too. */
  readonly forks: readonly string[];
}

/** Throws a Failure that says why nothing is taken, or how far it came. */
export async function importBundle(
  office: Office,
  file: string,
  { read, size }: { readonly read: ReadAt; readonly size: number },
): Promise<ImportedBundle> {
  const refuse = (problem: string) => new Failure(EXIT.failed, `${file}: ${problem}`);
  const proven = () => {
    const bundle = openBundle(read, size);
    return { bundle, head: BundleHead.parse(bundle.head) };
  };
  const { bundle, head } = asFailure(proven, refuse);
  const { role, instance, version, made_ms } = head;
  const certificate = asFailure(() => new X509Certificate(head.certificate), refuse);
  const { authority } = await fleetServer(office);
  if (!authority.hasIssued(certificate) || certificate.subject !== `CN=${role}`)
    throw refuse(`is sealed as ${role}'s with a key that isn't of this fleet`);
  const key = certificate.publicKey.export({ type: "spki", format: "pem" }).toString();
  if (!bundle.isSignedBy(key)) throw refuse(`was altered: the seal isn't ${role}'s`);
  const [own] = await office.ask<{ ship: string; name: string }>("office.ship_of", [role]);
  if (own === undefined)
    throw refuse(`the key ${role} was revoked: the ship makes a new bundle with her new key`);
  const known = await knownOf(office, own.ship, instance);
  // PostgreSQL reads no year beyond 9999; it takes what is to come for now.
  const now_ms = Date.now();
  const spoken = new Date(Math.min(made_ms, now_ms)).toISOString();
  const tally = newTally();
  // A later hour would tell the ship that the shore has all before it.
  if (known.hours < head.hours_after)
    tally.refused.set("hour", { what: "hours", reason: NO_HOURS });
  await office
    .asShip({ role, spoken }, async (ask) => {
      let spoke: Promise<void> | null = null;
      // A file that brings nothing is no sign of life: its clock may be ahead.
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

/** Links as chain, number and hash, true with all that belongs to them; documents' revisions. */
interface KnownAshore {
  readonly links: Map<string, boolean>;
  readonly documents: Map<string, number>;
  /** The highest revision of an hour, of any box. */
  readonly hours: number;
  /** Number of the newest audit entry that the box had when it made its newest report here. */
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
  /** By the shore's clock. */
  readonly now_ms: number;
  readonly put: PutAsShip;
  readonly known: KnownAshore;
  readonly tally: ReturnType<typeof newTally>;
  readonly instance: string;
}

/** PostgreSQL's codes for a statement that is refused, whatever comes after it. */
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
 * True if the document here is of a clock that stood ahead, and this file was made after it: a
 * revision is the box's time, so all true ones of later would be below it. The order is told by the
 * audit log, which each bundle makes longer. (Revisions of hours count on, whatever the clock.)
 */
function isLaterThanAhead(here: number, { known, tally, now_ms }: ImportParts): boolean {
  return here > now_ms && tally.audit > known.audit;
}

/** False if it was refused, which is noted: of a chain once, since the next are refused with it. */
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
