// A proof as it leaves the ship: one line of JSON with all that a stranger needs to check it, the
// signed head and the signers from the first key on. Members are in alphabetical order, and only
// the exact text that ballastd writes is accepted: so no byte can be changed unnoticed.

import * as z from "zod";
import { HASH_BYTES } from "../codec/merkle.ts";
import { messageOf } from "../ground/errors.ts";
import { BadNote, base64Bytes } from "./note.ts";

export const PROOF_FORMAT = "ballastd ledger proof 1";

const whole = z.number().int().min(0);
const path = z.array(z.string());

/** The content of a link or a statement, in the parts that its hash is made of. */
const About = z.union([
  z.strictObject({ header: z.string(), payload_hash: z.string(), previous: z.string() }),
  z.strictObject({ facts: z.string(), identity: z.string(), previous: z.string() }),
  z.strictObject({ entry: z.string(), previous: z.string() }),
  z.strictObject({ statement: z.string() }),
]);
export type LeafAbout = z.output<typeof About>;

export const LedgerProof = z
  .strictObject({
    earlier: z
      .strictObject({ path, root: z.string(), size: whole })
      .nullable()
      .meta({ description: "that the tree only grew from an earlier size to the head's" }),
    format: z.literal(PROOF_FORMAT),
    head: z.string().meta({ description: "the signed head: a C2SP checkpoint" }),
    keys: z
      .array(z.strictObject({ grown: path.nullable(), index: whole, path, statement: z.string() }))
      .meta({ description: "who signed, from the first key to the head's" }),
    leaves: z.array(
      z.strictObject({ about: About.nullable(), index: whole, leaf: z.string(), path }),
    ),
    rows: z
      .array(z.strictObject({ count: whole, from: whole, leaf: whole, path }))
      .meta({ description: "for each run of lines, the rows of a segment that they are" }),
  })
  .meta({
    id: "LedgerProof",
    description: "checked by docs/verify-ledger.py, or by ballastd ledger check",
    example: {
      earlier: null,
      format: PROOF_FORMAT,
      head: "ballastd/BWTS-001/7f3a9c21d0e4b5a6\n1\nroot\n\n\u2014 name signature\n",
      keys: [],
      leaves: [],
      rows: [],
    },
  });
export type LedgerProof = z.output<typeof LedgerProof>;

/** The text of a proof whose members are in order. */
export function proofText(proof: LedgerProof): string {
  return `${JSON.stringify(proof)}\n`;
}

/** Reads a proof. Throws BadNote unless the text is exactly as ballastd writes it. */
export function readProof(text: string): LedgerProof {
  const { parsed, same } = parsedJson(text);
  if (same !== text) throw new BadNote("it isn't written as ballastd writes it");
  const { data, error } = LedgerProof.safeParse(parsed);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new BadNote(`${issue.path.join(".") || "the proof"}: ${issue.message}`);
}

/** Parses the text, and serialises the result as ballastd does. Throws BadNote. */
function parsedJson(text: string): { readonly parsed: unknown; readonly same: string } {
  try {
    const parsed: unknown = JSON.parse(text);
    return { parsed, same: `${JSON.stringify(ordered(parsed))}\n` };
  } catch (error) {
    throw new BadNote(`it isn't JSON (${messageOf(error)})`);
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Encodes the hashes of a path as base64. */
export function pathTexts(hashes: readonly Uint8Array[]): string[] {
  return hashes.map((hash) => Buffer.from(hash).toString("base64"));
}

/** Decodes the hashes of a path. Throws BadNote. */
export function pathHashes(texts: readonly string[]): Buffer[] {
  return texts.map(hashIn);
}

/** Decodes a hash from base64. Throws BadNote. */
export function hashIn(text: string): Buffer {
  const hash = base64Bytes(text, "a hash");
  if (hash.length === HASH_BYTES) return hash;
  throw new BadNote(`a hash has ${hash.length} bytes, expected ${HASH_BYTES}`);
}
