// Verifies a ship's data at the office with the hashes made aboard, not with the database's own
// checks: every link of its three chains, every segment decoded, the ends of all branches, that
// everything acknowledged to the ship is here, and its hours against those made from its readings.
// A fork is no fault.

import { segmentFault } from "../../sqlite/care/segment-content.ts";
import { CHAINS, type ChainName, EMPTY_CHAIN, hashOf } from "../../sqlite/file/hash-chain.ts";
import type { Office } from "../office.ts";
import { LostObject, payloadAt, UnnamedStore } from "../payloads.ts";
import { shoreLines } from "../segments.ts";
import { type HoursResult, verifyHours } from "./hours.ts";
import { openLeaves } from "./ledger-tree.ts";
import { openReported } from "./reported.ts";
import { SCHEMA_UNPROVEN, type SchemaProven } from "./schema-proof.ts";
import { oddRows, unprovenHere, unprovenKinds, unprovenRows } from "./unproven.ts";
import { type HeadsResult, type ProvenMarks, verifyHeads } from "./verify-heads.ts";

/** The result for a ship. Heads are in hex, empty without a link. */
export interface ShipVerifyResult {
  readonly ship: string;
  readonly segments: number;
  /** Number of segments without payload. */
  readonly lacking: number;
  /** Number of segments whose payload is an object in the store. */
  readonly objects: number;
  /** Segments whose object is missing in the store, or has other bytes. */
  readonly lost_objects: readonly LostPayload[];
  /** Number of readings in the payloads. */
  readonly readings: number;
  readonly events: number;
  readonly audit: number;
  readonly segment_head: string;
  readonly event_head: string;
  readonly audit_head: string;
  readonly forks: readonly string[];
  readonly hours: HoursResult;
  readonly ledger: HeadsResult;
  /** The first problem of each chain and of the ledger, lost objects, the first differing hour. */
  readonly problem: string | null;
  /** Unproven data in words. */
  readonly not_proven: readonly string[];
}

export interface ShipVerifyOptions {
  /** Verifier keys that the office trusts; without any, the first one that arrived. */
  readonly trusted?: ReadonlySet<string>;
  /** True if the marks on verdicts are written again after this. */
  readonly isRecording?: boolean;
  /** The proof of the schema in which the data is stored. */
  readonly schema?: SchemaProven;
}

/** A segment whose object is lost, by number and hash, and the reason. */
export interface LostPayload {
  readonly number: number;
  readonly hash: string;
  readonly problem: string;
}

/** A row of office.chain. */
interface LinkAshore {
  readonly number: number;
  readonly branch: number;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly body: Buffer;
  readonly digest: Buffer | null;
  readonly payload: Buffer | null;
  readonly object: string | null;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly count: number;
}

/** A row of office.branches. */
interface BranchEnd {
  readonly chain: ChainName;
  readonly branch: number;
  /** Numbers of its first and its last link. */
  readonly begins: number;
  readonly number: number;
  readonly hash: string;
  readonly is_current: boolean;
  /** The newest time of the branch's data. */
  readonly until_ms: number;
}

/** Verifies one snapshot, since the ship may be sending. */
export function verifyShip(
  office: Office,
  ship: string,
  options: ShipVerifyOptions = {},
): Promise<ShipVerifyResult & { readonly marks: ProvenMarks }> {
  const objects = office.objects ?? "unnamed";
  return office.snapshot(() => verifiedNow({ ...office, objects }, ship, options));
}

async function verifiedNow(
  office: Office,
  ship: string,
  { trusted = new Set(), isRecording = false, schema = SCHEMA_UNPROVEN }: ShipVerifyOptions,
): Promise<ShipVerifyResult & { readonly marks: ProvenMarks }> {
  const ends = await office.ask<BranchEnd>("office.branches", [ship]);
  const counts = { segment: 0, event: 0, audit: 0, lacking: 0, readings: 0, objects: 0 };
  const lost_objects: LostPayload[] = [];
  const unread: LostPayload[] = [];
  const kinds = await unprovenKinds(office, ship);
  const rows = await unprovenRows(office, ship);
  const problems: string[] = [...shortened(schema.faults), ...(await oddRows(office, ship, kinds))];
  const reported = await openReported(office, ship);
  const leaves = openLeaves();
  for (const chain of CHAINS) {
    const lost = (one: LostPayload, isUnread: boolean) =>
      void (isUnread ? unread : lost_objects).push(one);
    const broken = await walkChain(office, { ship, chain, ends, lost }, (link) => {
      counts[chain] += 1;
      leaves.link(chain, link);
      reported.found(chain, link.number, hex(link.hash));
      if (chain !== "segment") return;
      counts.objects += link.object === null ? 0 : 1;
      counts.lacking += link.payload === null && link.object === null ? 1 : 0;
      counts.readings += link.payload === null ? 0 : link.count;
    });
    const problem = broken ?? reported.missing(chain);
    if (problem !== null) problems.push(problem);
  }
  for (const all of [lost_objects, unread]) if (all.length > 0) problems.push(lostText(all));
  const [{ segments }] = await shoreLines(office, ship);
  const hours = await verifyHours(office, ship, segments);
  if (hours.first_differing !== null) problems.push(hours.first_differing);
  const asked = { leaves, trusted, isRecording };
  const { marks, here, ...ledger } = await verifyHeads(office, ship, asked);
  const faults = [...ledger.faults, ...reported.missingDocuments(here)];
  if (faults.length > 0) problems.push(firstOf(faults));
  const headOf = (chain: ChainName) =>
    ends.find((end) => end.chain === chain && end.is_current)?.hash ?? "";
  return {
    marks,
    ...{ ship, segments: counts.segment, lacking: counts.lacking, readings: counts.readings },
    ...{ objects: counts.objects, lost_objects },
    ...{ events: counts.event, audit: counts.audit },
    segment_head: headOf("segment"),
    event_head: headOf("event"),
    audit_head: headOf("audit"),
    forks: ends.filter(({ branch }) => branch > 0).map((end) => `${end.chain} ${end.branch}`),
    ...{ hours, ledger: { ...ledger, faults } },
    not_proven: [
      ...schema.not_proven,
      ...ledger.not_proven,
      ...CHAINS.flatMap((chain) => reported.behind(chain) ?? []),
      ...unprovenHere(office, { ...counts, hours, kinds, rows }),
    ],
    problem: problems.length === 0 ? null : problems.join("; "),
  };
}

const lostText = (lost: readonly LostPayload[]) =>
  firstOf(lost.map(({ number, problem }) => `segment ${number}: ${problem}`));

function firstOf([first, ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first}, and ${more.length} more`;
}

/** Maximum number of named faults of the schema: a divided table's are one of each part. */
const SCHEMA_NAMED_MAX = 5;

function shortened(faults: readonly string[]): readonly string[] {
  const more = faults.length - SCHEMA_NAMED_MAX;
  return more > 0 ? [...faults.slice(0, -more), `${more} more faults of the schema`] : faults;
}

/** Requests the lost payloads from the ship; needs a superuser of PostgreSQL. */
export async function askAgain(office: Office, { ship, lost_objects }: ShipVerifyResult) {
  for (const { number, hash } of lost_objects)
    await office.ask("office.ask_again", [ship, number, hash]);
}

/** Marks the proven verdicts for the office's views; needs a superuser of PostgreSQL. */
export async function markProven(office: Office, ship: string, marks: ProvenMarks) {
  await office.ask("office.mark_proven", [ship, JSON.stringify(Object.fromEntries(marks))]);
}

interface ChainWalk {
  readonly ship: string;
  readonly chain: ChainName;
  readonly ends: readonly BranchEnd[];
  readonly lost: (segment: LostPayload, isUnread: boolean) => void;
}

/** The first problem of a chain; null if it is complete and unaltered. */
async function walkChain(
  office: Office,
  { ship, chain, ends, lost }: ChainWalk,
  each: (link: LinkAshore) => void,
): Promise<string | null> {
  // Branches by the hash of their newest link; before the first link there is none.
  let before = {
    number: 0,
    hashes: new Map<string, number | null>([[hex(EMPTY_CHAIN.hash), null]]),
  };
  let here = before;
  const walked = new Map<number, WalkedBranch>();
  for (let after: readonly [number, string] = [0, ""]; ; ) {
    const page = await office.ask<LinkAshore>("office.chain", [ship, chain, ...after]);
    for (const stored of page) {
      const link = await withObject(office, stored, lost);
      if (link.number !== here.number) {
        before = here;
        here = { number: link.number, hashes: new Map() };
      }
      const name = `${chain} ${link.number}`;
      if (before.number !== link.number - 1 || !before.hashes.has(hex(link.previous)))
        return `${name}: the link before isn't here`;
      const fault = linkFault(chain, link);
      if (fault !== null) return `${name}: ${fault}`;
      const { begins, until_ms } = walked.get(link.branch) ?? {
        begins: link.number,
        until_ms: link.last_ms,
      };
      if (begins < link.number && before.hashes.get(hex(link.previous)) !== link.branch)
        return `${name}: is of branch ${link.branch}, the link before isn't`;
      here.hashes.set(hex(link.hash), link.branch);
      const end = { number: link.number, hash: hex(link.hash) };
      walked.set(link.branch, { begins, ...end, until_ms: Math.max(until_ms, link.last_ms) });
      each(link);
    }
    const final = page.at(-1);
    if (final === undefined) break;
    after = [final.number, hex(final.hash)];
  }
  const own = ends.filter((end) => end.chain === chain);
  for (const end of own) {
    const { branch, begins, number, hash, until_ms } = end;
    const found = walked.get(branch);
    if (found?.number !== number || found.hash !== hash)
      return `${chain} ${number}: branch ${branch} doesn't end with it`;
    if (found.begins !== begins)
      return `${chain} ${begins}: branch ${branch} begins with ${found.begins}`;
    if (found.until_ms !== until_ms)
      return `${chain} ${number}: branch ${branch} has another newest time than its links`;
  }
  const loose = [...walked.keys()].find((branch) => own.every((end) => end.branch !== branch));
  return loose === undefined ? null : `${chain}: branch ${loose} has no end`;
}

/** The link with the payload from its object; without it if that is lost. */
async function withObject(office: Office, link: LinkAshore, lost: ChainWalk["lost"]) {
  if (link.object === null) return link;
  try {
    return { ...link, payload: await payloadAt(office.objects, link) };
  } catch (error) {
    if (!(error instanceof LostObject)) throw error;
    const { number, hash } = link;
    lost({ number, hash: hex(hash), problem: error.message }, error instanceof UnnamedStore);
    return link;
  }
}

type WalkedBranch = Pick<BranchEnd, "begins" | "number" | "hash" | "until_ms">;

function linkFault(chain: ChainName, link: LinkAshore): string | null {
  const { previous, hash, body, digest, payload } = link;
  if (payload !== null && (digest === null || !hashOf(payload).equals(digest)))
    return "its payload isn't its digest";
  const content = { segment: [body, digest], event: [digest, body], audit: [body] }[chain];
  const parts = [...content, previous].filter((part) => part !== null);
  if (!hashOf(...parts).equals(hash)) return "its hash doesn't follow from its content";
  if (chain !== "segment") return recordFault(chain === "event" ? payload : body, link);
  if (digest === null) return "its digest isn't here";
  const { number: id, first_ms, last_ms, count } = link;
  const span = { id, first_ms, last_ms, count };
  return segmentFault({ ...span, header: body, payload, payload_hash: digest, hash });
}

/**
 * The fault of an event or an audit entry; null without one. The columns in the database only
 * repeat its time.
 */
function recordFault(text: Buffer | null, { first_ms, last_ms, count }: LinkAshore): string | null {
  if (text === null) return "its text isn't here";
  const at_ms = /^\[(-?\d{1,15})[.,]/.exec(text.toString("latin1", 0, 20))?.[1];
  const isOf = [first_ms, last_ms].every((column) => column === Number(at_ms)) && count === 1;
  return isOf ? null : `its row has another time or count than its text, which says ${at_ms} ms`;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
