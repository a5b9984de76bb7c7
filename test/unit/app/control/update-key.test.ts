// The key that updates are checked with: what a wrong file in its place is said to be.

import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  type Manifest,
  refuseUnsigned,
  updateHead,
} from "../../../../src/app/control/update-file.ts";
import { foldersOfTests } from "../../../rig/folders.ts";

const newFolder = foldersOfTests();
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
const manifest: Manifest = {
  ...{ version: "1.1.0", platform: "linux", arch: "x64", schema: 1, bytes: 1 },
  sha256: "0".repeat(64),
};
const [, line, signature] = updateHead(manifest, privateKey).toString().split("\n");
const update = {
  ...{ file: "x.update", manifest, line, start: 0 },
  signature: Buffer.from(signature, "base64"),
};

test.each([
  ["nothing", "", /key\.pem: expected an Ed25519 public key in PEM$/],
  ["words", "hello", /key\.pem: expected an Ed25519 public key in PEM$/],
  [
    "another kind of key",
    rsa.export({ type: "spki", format: "pem" }),
    /expected an Ed25519 public/,
  ],
  [
    "the private key, which must not be aboard",
    privateKey.export({ type: "pkcs8", format: "pem" }),
    /key\.pem: holds a private key, expected the public one/,
  ],
])("%s in its place is refused in a sentence", (_what, content, problem) => {
  const key_file = path.join(newFolder(), "key.pem");
  writeFileSync(key_file, content);
  expect(() => refuseUnsigned(update, key_file)).toThrow(problem);
});

test("the public key takes what the private one signed", () => {
  const key_file = path.join(newFolder(), "key.pem");
  writeFileSync(key_file, publicKey.export({ type: "spki", format: "pem" }));
  expect(() => refuseUnsigned(update, key_file)).not.toThrow();
});
