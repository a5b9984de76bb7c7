// The tree, its proofs and the notes against the published vectors of others, and against each
// other for all small sizes.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { hashOfLeaf, sha256 } from "../../../src/codec/merkle.ts";
import { readCheckpoint, signedCheckpoint } from "../../../src/ledger/checkpoint.ts";
import {
  consistencyPath,
  inclusionPath,
  isConsistent,
  type NodeAt,
  rootAt,
  rootOfInclusion,
  rootOfStretch,
  stretchPath,
} from "../../../src/ledger/merkle-proof.ts";
import {
  publicBytes,
  readNote,
  readVerifierKey,
  verifiedBy,
  verifierKey,
} from "../../../src/ledger/note.ts";
import { allowedSigner, isSshSignature, sshSignature } from "../../../src/ledger/ssh-signature.ts";
import { completedNodes } from "../../../src/sqlite/file/ledger.ts";
import { foldersOfTests } from "../../rig/folders.ts";

const folder = foldersOfTests();

const file = path.join(import.meta.dirname, "../../data/ledger-vectors.ndjson");
const lines = readFileSync(file, "utf8").trimEnd().split("\n");
const vectors = Map.groupBy(
  lines.map((line): unknown => JSON.parse(line)),
  (line) => z.object({ kind: z.string() }).parse(line).kind,
);
const all = <Shape extends z.ZodRawShape>(kind: string, shape: Shape) =>
  z.array(z.object(shape)).parse(vectors.get(kind));

const hex = z.hex().transform((text) => Buffer.from(text, "hex"));
const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const judged = { proof: z.array(bytes), desc: z.string(), wantErr: z.boolean() };
const sizes = { size1: z.number(), size2: z.number(), root1: bytes, root2: bytes };
const place = { leafIdx: z.number(), treeSize: z.number(), root: bytes, leafHash: bytes };
const inclusions = all("inclusion", { ...place, ...judged });
const consistencies = all("consistency", { ...sizes, ...judged });

/** The nodes as the ledger's rows keep them. */
function treeOf(leaves: readonly Uint8Array[]): NodeAt {
  const rows: Buffer[] = [];
  const node: NodeAt = (level, index) =>
    rows[index + 2 ** level - 1].subarray(32 * level, 32 * (level + 1));
  for (const [index, leaf] of leaves.entries())
    rows.push(completedNodes(node, index, hashOfLeaf(leaf)));
  return node;
}

test("the roots of 0 to 8 leaves are the published ones", () => {
  const node = treeOf(all("leaf", { hex }).map((leaf) => leaf.hex));
  const roots = all("root", { hex });
  expect(roots.map((_, size) => rootAt(node, size))).toEqual(roots.map((root) => root.hex));
  expect(roots).toHaveLength(9);
});

test("published proofs are taken and refused as they say", () => {
  const wrong = [
    ...inclusions.filter(({ leafIdx, treeSize, root, leafHash, proof, wantErr }) => {
      const inclusion = { index: leafIdx, size: treeSize, path: proof };
      const found = rootOfInclusion(leafHash, inclusion);
      return wantErr === (found !== null && root.equals(found));
    }),
    ...consistencies.filter(({ size1, size2, root1, root2, proof, wantErr }) => {
      const roots = { root_before: root1, root: root2 };
      return wantErr === isConsistent({ before: size1, size: size2, ...roots, path: proof });
    }),
  ];
  expect(wrong.map(({ desc }) => desc)).toEqual([]);
  expect(inclusions.length + consistencies.length).toBe(196);
});

test("every proof in every tree of up to 70 leaves holds, and none of another leaf or size", () => {
  const leaves = Array.from({ length: 70 }, (_, index) => sha256(Buffer.of(index)));
  const hashes = leaves.map(hashOfLeaf);
  const node = treeOf(leaves);
  for (let size = 1; size <= leaves.length; size += 1) {
    const root = rootAt(node, size);
    for (let index = 0; index < size; index += 1) {
      const inclusion = { index, size, path: inclusionPath(node, index, size) };
      expect(rootOfInclusion(hashes[index], inclusion)).toEqual(root);
      const other = (index + 1) % size;
      if (size > 1) expect(rootOfInclusion(hashes[other], inclusion)).not.toEqual(root);
      const known = hashes.slice(index, Math.max(index + 1, size - Math.floor(index / 2)));
      const stretch = { from: index, to: index + known.length };
      const beside = stretchPath(hashes.slice(0, size), stretch);
      expect(rootOfStretch(known, { from: index, size, path: beside })).toEqual(root);
    }
    for (let before = 1; before <= size; before += 1) {
      const path = consistencyPath(node, before, size);
      const grown = { before, size, root_before: rootAt(node, before), root, path };
      expect(isConsistent(grown)).toBe(true);
      const forked = { ...grown, root_before: hashes[0] };
      if (before > 1) expect(isConsistent(forked)).toBe(false);
    }
  }
});

test("the verifier in docs/ holds the same vectors, and those of RFC 8032", () => {
  const oracle = path.join(import.meta.dirname, "../../oracle/check_vectors.py");
  const verifier = path.join(import.meta.dirname, "../../../docs/verify-ledger.py");
  const input = `${lines.join("\n")}\n`;
  const wrong = execFileSync("python3", [oracle, verifier], { input, encoding: "utf8" });
  expect(JSON.parse(wrong)).toEqual([]);
  expect(all("ed25519", { key: hex })).toHaveLength(3);
});

test("published notes verify by their keys, and no altered one does", () => {
  for (const { vkey, note } of all("note", { vkey: z.string(), note: z.string() })) {
    const key = readVerifierKey(vkey);
    expect(verifierKey(key)).toBe(vkey);
    expect(verifiedBy(readNote(note), [key])).toEqual(key);
    for (let at = 0; at < note.length; at += 1) {
      const altered = `${note.slice(0, at)}${note[at] === "A" ? "B" : "A"}${note.slice(at + 1)}`;
      expect(() => verifiedBy(readNote(altered), [key]), altered).toThrow();
    }
  }
});

test("a head is read back as it was signed, and stock ssh-keygen verifies it", () => {
  const { privateKey: secret } = generateKeyPairSync("ed25519");
  const signer = { name: "ballastd/BWTS-001/0123456789abcdef", secret };
  const root = sha256(Buffer.from("root"));
  const note = signedCheckpoint({ size: 12, root }, signer);
  const key = publicBytes(secret);
  const head = readCheckpoint(note);
  expect(head).toMatchObject({ origin: signer.name, size: 12, root });
  expect(verifiedBy(head.note, [{ name: signer.name, key }]).name).toBe(signer.name);

  const dir = folder();
  const signature = sshSignature(note, secret);
  expect(isSshSignature(signature, note, key)).toBe(true);
  expect(isSshSignature(signature, `${note} `, key)).toBe(false);
  writeFileSync(path.join(dir, "head.sig"), signature);
  writeFileSync(path.join(dir, "allowed"), `${allowedSigner(signer.name, key)}\n`);
  const said = (input: string) =>
    execFileSync(
      "ssh-keygen",
      ["-Y", "verify", "-f", "allowed", "-I", signer.name, "-n", "ballastd-ledger"].concat([
        ...["-s", "head.sig"],
      ]),
      { cwd: dir, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] },
    );
  expect(said(note)).toContain("Good");
  expect(() => said(`${note} `)).toThrow();
});
