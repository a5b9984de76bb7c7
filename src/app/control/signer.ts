// Signs heads of the ledger, one after the other, on the main thread, which delays no reading.
// Before each it compares the tree with the last one signed here: a database that was restored,
// copied or put back continues under a new origin, and the ledger records that. So does one whose
// key is lost. A failed signature is tried again by the job that wanted it.

import { type KeyObject, randomBytes } from "node:crypto";
import { printTime } from "../../ground/clock.ts";
import { oneAfterAnother } from "../../ground/in-turn.ts";
import { signedCheckpoint } from "../../ledger/checkpoint.ts";
import {
  FIRST_START,
  isSameShip,
  type KeyStatement,
  keyStatement,
  type NamedShip,
  ROTATED,
  readKeyStatement,
  SHIP_NAMED,
} from "../../ledger/key-statement.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { type NoteSigner, publicBytes } from "../../ledger/note.ts";
import { sshSignature } from "../../ledger/ssh-signature.ts";
import { instanceNumber } from "../../shore/instance-number.ts";
import type { SignedHead } from "../../sqlite/records/head-rows.ts";
import type { LedgerNow } from "../../sqlite/records/ledger-heads.ts";
import { keyInUse, makeNextKey, placeNext } from "./key-file.ts";
import { type LastSignedHead, readSignedHead, writeSignedHead } from "./signed-file.ts";

/** The reasons for a head: those of the job, and of a command that prints it. */
export type HeadReason = "start" | "stop" | "daily" | "export" | "print";

export interface LedgerSigner {
  /** Signs the present tree and stores the head. */
  sign(reason: HeadReason): Promise<SignedHead>;
  /** Exchanges the key, and signs a head with the new one. */
  rotate(): Promise<SignedHead>;
}

/** The ledger in the database, through the writer. */
export interface LedgerStore {
  /** The present tree, also over its first `before` leaves. */
  now(before: number | null): Promise<LedgerNow>;
  storeKey(statement: string): Promise<unknown>;
  storeHead(head: SignedHead): Promise<unknown>;
}

interface SignerTools {
  readonly dir: string;
  /** The configured ship; an empty IMO number means no name. */
  readonly ship: NamedShip;
  readonly ledger: LedgerStore;
  readonly now_ms: () => number;
  /** Called with a new origin and the reason for it. */
  readonly onOrigin: (origin: string, reason: string) => void;
}

export function openSigner(tools: SignerTools): LedgerSigner {
  const inTurn = oneAfterAnother();
  return {
    sign: (reason) => inTurn(async () => signHead(tools, await soundSigner(tools), reason)),
    rotate: () =>
      inTurn(async () => {
        const old = await soundSigner(tools);
        const { statement } = await tools.ledger.now(null);
        const before = statement === null ? null : readKeyStatement(statement).key;
        const signer = { name: old.name, secret: makeNextKey(tools.dir) };
        const ship = namedShip(tools);
        const said = { before, continues: null, follows: null, reason: ROTATED, ship };
        await store(tools, said, { signer, old });
        placeNext(tools.dir);
        return signHead(tools, signer, "print");
      }),
  };
}

async function signHead(
  { dir, ledger, now_ms }: SignerTools,
  signer: NoteSigner,
  reason: HeadReason,
): Promise<SignedHead> {
  const now = await ledger.now(null);
  await writeSignedHead(dir, { instance: instanceNumber(dir), origin: signer.name, ...now });
  const checkpoint = signedCheckpoint(now, signer);
  const ssh_signature = sshSignature(checkpoint, signer.secret);
  const { size } = now;
  const head = { at_ms: now_ms(), origin: signer.name, size, reason, checkpoint, ssh_signature };
  await ledger.storeHead(head);
  return head;
}

/** The state of the folder and the ledger that decides who may sign. */
interface FoundSigner {
  readonly instance: string;
  readonly signed: LastSignedHead | null;
  readonly now: LedgerNow;
  readonly stated: KeyStatement | null;
  readonly secret: KeyObject | null;
}

/** The signer named by the ledger, or a new one if that one can't sign this tree. */
async function soundSigner(tools: SignerTools): Promise<NoteSigner> {
  const { dir } = tools;
  const signed = readSignedHead(dir);
  const now = await tools.ledger.now(signed?.size ?? null);
  const stated = now.statement === null ? null : readKeyStatement(now.statement);
  const secret = keyInUse(dir, stated?.key.key ?? null);
  const found = { instance: instanceNumber(dir), signed, now, stated, secret };
  const reason =
    reasonForNew(found) ?? reasonOfRestore(found, tools) ?? reasonToName(found, namedShip(tools));
  if (reason === null && stated !== null && secret !== null)
    return { name: stated.key.name, secret };
  return newOrigin(tools, found, reason ?? FIRST_START);
}

/** The reason why a new origin is needed; null if the one named by the ledger may sign. */
function reasonForNew({ instance, signed, now, stated, secret }: FoundSigner): string | null {
  // A key gets its place only when its statement is stored.
  const isFirst = signed === null && now.newest === null && secret === null;
  if (stated === null) return isFirst ? FIRST_START : "the tree begins anew";
  if (secret === null) return "the key before is lost";
  if (!isSameHash(publicBytes(secret), stated.key.key))
    return "the database is of another installation";
  if (signed === null)
    return isUnsigned(now, stated) ? FIRST_START : "the database was restored or copied";
  if (signed.instance !== instance) return "the folder was copied to another machine";
  if (signed.origin !== stated.key.name) return "another database was put in its place";
  if (signed.size > now.size)
    return `an older database was put in its place, of ${now.size} leaves after ${signed.size}`;
  // True if the origin was just made, and the power was cut before its first head.
  const isUnused = signed.size === 0 && now.newest === null;
  const isKnown = now.root_before !== null && isSameHash(now.root_before, signed.root);
  if (now.heads < signed.heads && !now.isSalvaged)
    return `${signed.heads - now.heads} of ${signed.heads} signed heads were taken away`;
  return isUnused || isKnown ? null : `another tree of ${signed.size} leaves was signed here`;
}

/**
 * The reason for a new origin after a restore; null without one. Even a restore that lost no signed
 * head lost what wasn't signed yet, such as a running operation. A restore dated ahead by a wrong
 * clock counts when that time has come.
 */
function reasonOfRestore({ now, stated }: FoundSigner, { now_ms }: SignerTools): string | null {
  const { restored_ms } = now;
  if (restored_ms === null || stated === null) return null;
  const isSince = restored_ms > Date.parse(stated.at) && restored_ms <= now_ms();
  return isSince ? "the database was restored from a backup" : null;
}

/**
 * True if no head was ever signed for this ledger: a machine that stopped within its first second
 * may have stated the key without writing the file. A copy in this state lacks no more than a new
 * folder.
 */
function isUnsigned({ newest, isStated }: LedgerNow, { reason }: KeyStatement): boolean {
  return newest === null && !isStated && reason === FIRST_START;
}

/**
 * The reason for a new origin if the configured ship isn't the one that the ledger names; else
 * null.
 */
function reasonToName({ stated }: FoundSigner, ship: NamedShip | null): string | null {
  return ship === null || isSameShip(stated?.ship ?? null, ship) ? null : SHIP_NAMED;
}

/** The ship as texts for a statement's lines; null without an IMO number. */
function namedShip({ ship }: SignerTools): NamedShip | null {
  const line = (text: string) => text.replace(/\p{Cc}+/gu, " ").trim();
  const { imo, vessel, system } = ship;
  if (line(imo) === "") return null;
  return { imo: line(imo), vessel: line(vessel), system: line(system) };
}

async function newOrigin(
  tools: SignerTools,
  found: FoundSigner,
  reason: string,
): Promise<NoteSigner> {
  const { dir } = tools;
  const ship = namedShip(tools);
  const { instance, signed, now, stated, secret } = found;
  const imo = /^\d{7}$/.test(ship?.imo ?? "") ? [ship?.imo] : [];
  const random = randomBytes(8).toString("hex");
  const name = ["ballastd", ...imo, tools.ship.system, random].join("/");
  // A copied folder gets a new key, since two boxes must not share one.
  const isCopy = signed !== null && signed.instance !== instance;
  const isOld = secret !== null && isSameHash(publicBytes(secret), stated?.key.key ?? EMPTY);
  // A key named neither by this ledger nor by another one of this folder was put here by somebody
  // else.
  const isOwn = isOld || (signed !== null && signed.origin !== stated?.key.name);
  const kept = secret !== null && isOwn && !isCopy ? secret : null;
  const signer = { name, secret: kept ?? makeNextKey(dir) };
  const old = isOld && stated !== null ? { name: stated.key.name, secret } : null;
  const said = {
    before: stated?.key ?? null,
    continues: stated === null ? null : { origin: stated.key.name, ...now },
    follows: lostHead(found),
    ...{ reason, ship },
  };
  await store(tools, said, { signer, old });
  if (kept === null) placeNext(dir);
  // Written last: until then the folder shows that it is a copy, and which head was lost. An origin
  // that is stated but never written here is followed by another one.
  await writeSignedHead(dir, { instance, origin: name, size: 0, root: EMPTY, heads: now.heads });
  tools.onOrigin(name, reason);
  return signer;
}

const EMPTY = new Uint8Array();

/** The newest head signed here or known, unless this tree is known to contain it. */
function lostHead({ signed, now, stated }: FoundSigner): LedgerNow["newest"] {
  const known = signed !== null && signed.size > 0 ? signed : null;
  if (stated === null) return known ?? now.newest;
  const isPart = known !== null && now.root_before !== null;
  return isPart && isSameHash(now.root_before ?? EMPTY, known.root) ? null : known;
}

async function store(
  { ledger, now_ms }: SignerTools,
  said: Omit<Parameters<typeof keyStatement>[0], "at">,
  { signer, old }: { readonly signer: NoteSigner; readonly old: NoteSigner | null },
): Promise<void> {
  const at = printTime(now_ms());
  await ledger.storeKey(keyStatement({ ...said, at }, signer, old));
}
