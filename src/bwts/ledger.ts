// Signed heads of the ledger on the wire. The ledger is the Merkle tree over all that must not
// change; a head is its size and root, signed.

import * as z from "zod";
import { Pagination } from "./telemetry.ts";

/** The kinds of leaves that the API can be asked for. */
export const LEAF_KINDS = ["segment", "event", "audit", "key", "head", "verdict", "given"] as const;

const hash = z.string().meta({ description: "32 bytes in base64" });
const size = z.number().int().min(1).meta({ description: "number of leaves" });

export const LedgerHead = z
  .object({
    origin: z.string().meta({ description: "the name under which this tree is signed" }),
    size,
    root: hash,
    timestamp: z.iso.datetime().meta({ description: "UTC with milliseconds and Z" }),
    reason: z.enum(["start", "stop", "daily", "export", "print"]).meta({
      description: "start of ballastd, stop of an operation, an export, or printed by a command",
    }),
    checkpoint: z.string().meta({ description: "the signed text: a C2SP checkpoint" }),
    ssh_signature: z.string().meta({
      description: "of the checkpoint, for ssh-keygen -Y verify -n ballastd-ledger",
    }),
    verifier_key: z.string().meta({ description: "the key that signed it, as a C2SP vkey" }),
    allowed_signers: z.string().meta({ description: "the same key, as ssh-keygen asks for it" }),
  })
  .meta({
    id: "LedgerHead",
    example: {
      origin: "ballastd/BWTS-001/7f3a9c21d0e4b5a6",
      size: 1234,
      root: "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
      timestamp: "2026-05-01T06:30:00.000Z",
      reason: "stop",
      checkpoint: "ballastd/BWTS-001/7f3a9c21d0e4b5a6\n1234\nCsUY...\n\n\u2014 ...\n",
      ssh_signature: "-----BEGIN SSH SIGNATURE-----\n...\n-----END SSH SIGNATURE-----\n",
      verifier_key: "ballastd/BWTS-001/7f3a9c21d0e4b5a6+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id",
      allowed_signers: "ballastd/BWTS-001/7f3a9c21d0e4b5a6 namespaces=... ssh-ed25519 AAAA...",
    },
  });
export type LedgerHead = z.output<typeof LedgerHead>;

export const LedgerHeads = z
  .object({ data: z.array(LedgerHead), pagination: Pagination })
  .meta({ id: "LedgerHeads" });

export const LedgerConsistency = z
  .object({
    from: size,
    to: size,
    root_from: hash,
    root_to: hash,
    path: z.array(hash).meta({ description: "the proof of RFC 6962, section 2.1.2" }),
  })
  .meta({
    id: "LedgerConsistency",
    example: { from: 1, to: 2, root_from: "CsUY...", root_to: "sFod...", path: ["gSKy..."] },
  });
